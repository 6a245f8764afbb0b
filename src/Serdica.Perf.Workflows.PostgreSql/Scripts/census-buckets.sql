-- On Citus alone: the census of each bucket, in a row. The counts of one bucket are of one moment, because its shard answers all of
-- them in one statement, and nothing that moves an instance lies in another; those of two buckets may be of two moments.
select
    i.waiting, i.running, i.completed, i.faulted, i.cancelled,
    (select count(*) from {schema}.signal s where s.bucket = b.bucket and s.due_at <= statement_timestamp()),
    (select count(*) from {schema}.signal s where s.bucket = b.bucket and s.due_at > statement_timestamp()),
    (select count(*) from {schema}.dead_letter d where d.bucket = b.bucket),
    (select count(*) from {schema}.message m where m.bucket = b.bucket),
    i.stuck,
    open.definitions, open.versions, open.instances, open.parked, open.examples
from {schema}.bucket b
join lateral (
    select
        b.bucket,
        count(*) filter (where w.status = 0) as waiting,
        count(*) filter (where w.status = 1) as running,
        count(*) filter (where w.status = 2) as completed,
        count(*) filter (where w.status = 3) as faulted,
        count(*) filter (where w.status = 4) as cancelled,
        count(*) filter (
            where w.status < 2
              and w.waits & 1 = 0
              and not exists (select from {schema}.signal s where s.bucket = w.bucket and s.instance_id = w.id)
              and not (w.waits & 8 <> 0 and exists (
                  select from {schema}.instance c where c.bucket = w.bucket and c.parent_id = w.id and c.status < 2))) as stuck
    from {schema}.instance w
    where w.bucket = b.bucket) i on i.bucket = b.bucket
join lateral (
    select
        b.bucket,
        coalesce(array_agg(o.definition), '{}') as definitions,
        coalesce(array_agg(o.definition_version), '{}') as versions,
        coalesce(array_agg(o.instances), '{}') as instances,
        coalesce(array_agg(o.parked), '{}') as parked,
        coalesce(array_agg(o.example), '{}') as examples
    from (
        select
            o.definition, o.definition_version, count(*) as instances,
            count(*) filter (where o.waits & 16 <> 0) as parked,
            (array_agg(o.id) filter (where o.waits & 16 <> 0))[1] as example
        from {schema}.instance o
        where o.bucket = b.bucket and o.status < 2
        group by o.definition, o.definition_version) o) open on open.bucket = b.bucket
