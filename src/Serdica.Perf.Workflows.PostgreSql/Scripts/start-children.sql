-- Inserts instances that were started by another one of the same batch. A parent that was passed over because of
-- its business key has no children either.
insert into {schema}.instance (
    --citus bucket,
    id, parent_id, version, created_at, updated_at, definition_version, status, waits, definition, step,
    business_key, state, progress, error)
select
    --citus starter.bucket,
    n.id, n.parent_id, n.version, statement_timestamp(), statement_timestamp(), n.definition_version, n.status,
    n.waits, n.definition, n.step, n.business_key, n.state, n.progress, n.error
from unnest(
    $1::uuid[], $2::uuid[], $3::bigint[], $4::integer[], $5::smallint[], $6::smallint[], $7::text[], $8::text[],
    $9::text[], $10::bytea[], $11::bytea[], $12::text[], $13::uuid[])
    as n (id, parent_id, version, definition_version, status, waits, definition, step, business_key, state, progress, error, starter_id)
where exists (select from {schema}.instance starter where starter.id = n.starter_id) --plain
--citus join {schema}.instance starter on starter.bucket = {bucket} and starter.id = n.starter_id
