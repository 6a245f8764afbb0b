-- Looks at one page of instances in the order of their ids, deletes those that have closed and what belongs to them, and
-- answers with their count and where the next page begins. Pages by the primary key: there is no index on what makes an
-- instance old, and none is worth its cost on every write. Children stay while their parent is open: it may still read
-- their results. A closed instance has progress when it was continued: it stays while signals to it are stored, which go on
-- to the continuation when they are due. The limit keeps the planner from a join over all signals.
with page as (
    select i.id
    from {schema}.instance i
    where i.id > $2{and_bucket:i}
    order by i.id
    limit $3
),
old as (
    delete from {schema}.instance i
    using page p
    where i.id = p.id and i.status >= 2 and i.updated_at < statement_timestamp() - $1::interval{and_bucket:i}
      and not exists (select from {schema}.instance o where o.id = i.parent_id and o.status < 2{and_bucket:o})
      and (i.progress is null
        or (select s.id from {schema}.signal s where s.instance_id = i.id{and_bucket:s} limit 1) is null)
    returning i.id
),
signals as (delete from {schema}.signal s using old where s.instance_id = old.id{and_bucket:s}),
keys as (delete from {schema}.signal_key k using old where k.instance_id = old.id{and_bucket:k}),
letters as (delete from {schema}.dead_letter d using old where d.instance_id = old.id{and_bucket:d})
select (select count(*) from old), (select p.id from page p order by p.id desc limit 1)
