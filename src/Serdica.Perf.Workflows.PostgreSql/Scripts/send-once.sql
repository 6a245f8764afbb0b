-- The same for a batch in which signals from outside have dedup keys, or some of them. A key outlives its signal, and
-- only the first signal that brings it is inserted; one that comes at the same moment waits for the other's commit.
-- Signals without a key are inserted by the same statement: the order of the batch is the order of the due times.
with incoming as materialized (
    select n.*
    from unnest(
        $1::uuid[], $2::uuid[], $3::timestamptz[], $4::interval[], $5::integer[], $6::smallint[], $7::text[],
        $8::bytea[], $9::text[])
        with ordinality as n (instance_id, id, due_at, delay, attempt, kind, name, payload, dedup_key, place)
    cross join lateral (
        select from {schema}.instance i where i.id = n.instance_id and i.status < 2 limit 1) as receiver
),
first_of_batch as materialized (
    select distinct on (instance_id, dedup_key) *
    from incoming
    where dedup_key is not null
    order by instance_id, dedup_key, place
),
fresh as (
    insert into {schema}.signal_key (instance_id, dedup_key)
    select instance_id, dedup_key from first_of_batch order by instance_id, dedup_key
    on conflict do nothing
    returning instance_id, dedup_key
),
accepted as (
    select n.* from incoming n where n.dedup_key is null
    union all
    select f.* from first_of_batch f join fresh using (instance_id, dedup_key)
)
insert into {schema}.signal (instance_id, id, due_at, attempt, kind, name, payload)
select
    a.instance_id, a.id, coalesce(a.due_at, clock_timestamp() + a.delay), a.attempt, a.kind, a.name, a.payload
from accepted a
order by a.place
returning id
