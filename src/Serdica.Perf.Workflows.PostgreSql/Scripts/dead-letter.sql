insert into {schema}.dead_letter (signal_id, instance_id, dead_at, attempt, kind, reason, name, detail, payload) --plain
select n.signal_id, n.instance_id, clock_timestamp(), n.attempt, n.kind, n.reason, n.name, n.detail, n.payload --plain
--citus insert into {schema}.dead_letter (bucket, signal_id, instance_id, dead_at, attempt, kind, reason, name, detail, payload)
--citus select
--citus     b.bucket, n.signal_id, n.instance_id, statement_timestamp(), n.attempt, n.kind, n.reason, n.name, n.detail, n.payload
from unnest(
    $1::uuid[], $2::uuid[], $3::integer[], $4::smallint[], $5::smallint[], $6::text[], $7::text[], $8::bytea[])
    as n (signal_id, instance_id, attempt, kind, reason, name, detail, payload)
--citus join {schema}.bucket b on b.bucket = {bucket}
