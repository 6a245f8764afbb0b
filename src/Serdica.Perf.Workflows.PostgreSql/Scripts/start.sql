-- Inserts new instances without a business key. No ON CONFLICT: its speculative insertion costs 48 bytes of WAL a row,
-- and there is nothing that an instance without a key could be in conflict with.
insert into {schema}.instance (
    --citus bucket,
    id, parent_id, version, created_at, updated_at, definition_version, status, waits, definition, step,
    business_key, state, progress, error)
select
    --citus b.bucket,
    n.id, n.parent_id, n.version, statement_timestamp(), statement_timestamp(), n.definition_version, n.status,
    n.waits, n.definition, n.step, n.business_key, n.state, n.progress, n.error
from unnest(
    $1::uuid[], $2::uuid[], $3::bigint[], $4::integer[], $5::smallint[], $6::smallint[], $7::text[], $8::text[],
    $9::text[], $10::bytea[], $11::bytea[], $12::text[])
    as n (id, parent_id, version, definition_version, status, waits, definition, step, business_key, state, progress, error)
--citus join {schema}.bucket b on b.bucket = {bucket}
returning created_at --plain
