-- The same for signals from outside with a dedup key. The key outlives its signal, and only the first signal that
-- brings it is inserted; one that comes at the same moment waits for the other's commit.
with incoming as materialized (
    select n.*
    from unnest(
        $1::uuid[], $2::uuid[], $3::timestamptz[], $4::interval[], $5::integer[], $6::smallint[], $7::text[],
        $8::bytea[], $9::text[])
        as n (instance_id, id, due_at, delay, attempt, kind, name, payload, dedup_key)
    cross join lateral (
        select from {schema}.instance i where i.id = n.instance_id and i.status < 2 limit 1) as receiver
),
first_of_batch as materialized (
    select distinct on (instance_id, dedup_key) * from incoming order by instance_id, dedup_key, id
),
fresh as (
    insert into {schema}.signal_key (instance_id, dedup_key)
    select instance_id, dedup_key from first_of_batch order by instance_id, dedup_key
    on conflict do nothing
    returning instance_id, dedup_key
)
insert into {schema}.signal (instance_id, id, due_at, attempt, kind, name, payload)
select
    f.instance_id, f.id, coalesce(f.due_at, clock_timestamp() + f.delay), f.attempt, f.kind, f.name, f.payload
from first_of_batch f
join fresh using (instance_id, dedup_key)
order by f.id
returning id
