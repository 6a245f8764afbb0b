select d.signal_id, d.instance_id, d.dead_at, d.attempt, d.kind, d.reason, d.name, d.detail, d.payload
from {schema}.dead_letter d
order by d.dead_at, d.signal_id
limit $1
