insert into {schema}.message (id, due_at, payload) --plain
select n.id, coalesce(n.due_at, clock_timestamp() + n.delay), n.payload --plain
from unnest($1::uuid[], $2::timestamptz[], $3::interval[], $4::bytea[]) as n (id, due_at, delay, payload) --plain
--citus insert into {schema}.message (bucket, id, due_at, payload)
--citus select b.bucket, n.id, coalesce(n.due_at, statement_timestamp() + n.delay + n.place * interval '1 microsecond'), n.payload
--citus from unnest($1::uuid[], $2::timestamptz[], $3::interval[], $4::bytea[])
--citus     with ordinality as n (id, due_at, delay, payload, place)
--citus join {schema}.bucket b on b.bucket = {bucket}
