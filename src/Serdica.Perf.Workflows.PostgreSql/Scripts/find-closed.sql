-- Those of these instances that are closed: completed, faulted or cancelled.
select
    i.id, i.parent_id, i.version, i.created_at, i.definition_version, i.status, i.waits, i.definition, i.step,
    i.business_key, i.state, i.progress, i.error, i.updated_at
from {schema}.instance i
where i.id = any ($1::uuid[]) and i.status >= 2
--citus and i.bucket = any ({bucket}::smallint[])
