-- Inserts signals. Those from outside ($9) reach open instances only; the engine's own, and those whose dedup key was
-- accepted by this transaction, reach closed ones too, where they are counted and dropped, or become dead letters; but never
-- a place that no instance stands at. Returns what was inserted, so that the caller can tell what was refused.
--
-- clock_timestamp() moves on from row to row: the order of the batch becomes the order of the due times. Citus pushes no volatile
-- function down to a shard; there the place in the batch is added.
insert into {schema}.signal (instance_id, id, due_at, attempt, kind, name, payload) --plain
--citus insert into {schema}.signal as s (bucket, instance_id, id, due_at, attempt, kind, name, payload)
select
    n.instance_id, n.id, coalesce(n.due_at, clock_timestamp() + n.delay), n.attempt, n.kind, n.name, n.payload --plain
    --citus i.bucket, n.instance_id, n.id,
    --citus coalesce(n.due_at, statement_timestamp() + n.delay + n.place * interval '1 microsecond'),
    --citus n.attempt, n.kind, n.name, n.payload
from unnest(
    $1::uuid[], $2::uuid[], $3::timestamptz[], $4::interval[], $5::integer[], $6::smallint[], $7::text[], $8::bytea[],
    $9::boolean[])
    as n (instance_id, id, due_at, delay, attempt, kind, name, payload, to_open) --plain
cross join lateral ( --plain
    select from {schema}.instance i where i.id = n.instance_id and (i.status < 2 or not n.to_open) limit 1) as receiver --plain
returning id --plain
    --citus with ordinality as n (instance_id, id, due_at, delay, attempt, kind, name, payload, to_open, place)
--citus join {schema}.instance i on i.bucket = {bucket} and i.id = n.instance_id and (i.status < 2 or not n.to_open)
--citus returning s.id
