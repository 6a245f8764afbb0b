select
    i.id, i.parent_id, i.version, i.created_at, i.definition_version, i.status, i.waits, i.definition, i.step,
    i.business_key, i.state, i.progress, i.error, i.updated_at
from {schema}.instance i
where i.id = $1{and_bucket:i}
