insert into {schema}.message (id, due_at, payload)
select n.id, coalesce(n.due_at, clock_timestamp() + n.delay), n.payload
from unnest($1::uuid[], $2::timestamptz[], $3::interval[], $4::bytea[]) as n (id, due_at, delay, payload)
