-- Deletes what belongs to no instance, within one page of a purge. A transaction that saw an instance before it was purged
-- may have sent it a signal since, and its commit came later. A new instance is visible before what belongs to it, or at
-- the same moment, so nothing of it can be taken for an orphan. Ranges of the primary keys and of dead_letter_instance.
with
    signals as (
        delete from {schema}.signal s
        where s.instance_id > $1 and s.instance_id <= $2{and_bucket:s}
          and not exists (select from {schema}.instance i where i.id = s.instance_id{and_bucket:i})),
    keys as (
        delete from {schema}.signal_key k
        where k.instance_id > $1 and k.instance_id <= $2{and_bucket:k}
          and not exists (select from {schema}.instance i where i.id = k.instance_id{and_bucket:i}))
delete from {schema}.dead_letter d
where d.instance_id > $1 and d.instance_id <= $2{and_bucket:d}
  and not exists (select from {schema}.instance i where i.id = d.instance_id{and_bucket:i})
