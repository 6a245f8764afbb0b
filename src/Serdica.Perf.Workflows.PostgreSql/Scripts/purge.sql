-- Looks at one page of instances in the order of their ids, deletes those that have closed and what belongs to them, and
-- answers with their count and where the next page begins. Pages by the primary key: there is no index on what makes an
-- instance old, and none is worth its cost on every write. Children stay while their parent is open: it may still read
-- their results. A closed instance has progress when it was continued or continues another: it stays while signals to it are
-- stored, which are forwarded to the continuation when they are due, and as long as its predecessor, whose signals are forwarded
-- through it. The limits keep the planner from joins over all signals and all instances.
with recursive page as materialized (
    select i.id, i.status, i.updated_at, i.parent_id, case when i.status >= 2 then i.progress end as progress
    from {schema}.instance i
    where i.id > $2{and_bucket:i}
    order by i.id
    limit $3
),
old as materialized (
    select p.id, p.progress is not null as continued,
        (convert_from(p.progress, 'UTF8')::jsonb ->> 'continuedFrom')::uuid as predecessor
    from page p
    where p.status >= 2 and p.updated_at < statement_timestamp() - $1::interval
      and not exists (select from {schema}.instance o where o.id = p.parent_id and o.status < 2{and_bucket:o})
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
