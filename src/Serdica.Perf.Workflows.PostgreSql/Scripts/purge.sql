-- Deletes closed instances and what belongs to them; the count is that of the instances.
with old as (
    delete from {schema}.instance i
    where i.status >= 2 and i.updated_at < statement_timestamp() - $1::interval
    returning i.id
),
signals as (delete from {schema}.signal s using old where s.instance_id = old.id),
keys as (delete from {schema}.signal_key k using old where k.instance_id = old.id),
letters as (delete from {schema}.dead_letter d using old where d.instance_id = old.id)
select count(*) from old
