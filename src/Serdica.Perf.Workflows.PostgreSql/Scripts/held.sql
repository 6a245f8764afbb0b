-- Instances that this transaction holds, when their claim returned signals of theirs without their state.
select
    i.id, i.parent_id, i.version, i.created_at, i.definition_version, i.status, i.waits, i.definition, i.step,
    i.business_key, i.state, i.progress, i.error
from {schema}.instance i
where i.id = any ($1::uuid[]){and_bucket:i}
