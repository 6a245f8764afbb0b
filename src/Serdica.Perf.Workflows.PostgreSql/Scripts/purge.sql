-- Looks at one page of instances in the order of their ids, deletes those that have closed and what belongs to them, and
-- answers with their count and where the next page begins. Pages by the primary key: there is no index on what makes an
-- instance old, and none is worth its cost on every write. Children stay while their parent is open: it may still read
-- their results. A closed instance has progress when it was continued: it stays while signals to it are stored, which go on
-- to the continuation when they are due, and for as long as its predecessor stays, whose signals go on through it. The limits
-- keep the planner from joins over all signals and all instances.
with recursive page as (
    select i.id
    from {schema}.instance i
    where i.id > $2{and_bucket:i}
    order by i.id
    limit $3
),
old as materialized (
    select i.id, i.progress is not null as continued,
        case when i.status >= 2 then (convert_from(i.progress, 'UTF8')::jsonb ->> 'continuedFrom')::uuid end as predecessor
    from page p
    join {schema}.instance i on i.id = p.id{and_bucket:i}
    where i.status >= 2 and i.updated_at < statement_timestamp() - $1::interval
      and not exists (select from {schema}.instance o where o.id = i.parent_id and o.status < 2{and_bucket:o})
),
kept as (
    select o.id
    from old o
    where o.continued
      and ((select s.id from {schema}.signal s where s.instance_id = o.id{and_bucket:s} limit 1) is not null
        or ((select i.id from {schema}.instance i where i.id = o.predecessor{and_bucket:i} limit 1) is not null
          and not exists (select from old f where f.id = o.predecessor)))
    union
    select o.id from kept k join old o on o.predecessor = k.id
),
gone as (
    delete from {schema}.instance i
    using old o
    where i.id = o.id{and_bucket:i} and not exists (select from kept k where k.id = o.id)
    returning i.id
),
signals as (delete from {schema}.signal s using gone where s.instance_id = gone.id{and_bucket:s}),
keys as (delete from {schema}.signal_key k using gone where k.instance_id = gone.id{and_bucket:k}),
letters as (delete from {schema}.dead_letter d using gone where d.instance_id = gone.id{and_bucket:d})
select (select count(*) from gone), (select p.id from page p order by p.id desc limit 1)
