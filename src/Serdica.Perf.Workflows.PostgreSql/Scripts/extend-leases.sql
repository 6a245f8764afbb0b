-- Prolongs leases that still run and have the newest fencing token; returns which.
update {schema}.signal s
set due_at = clock_timestamp() + $4::interval
from unnest($1::uuid[], $2::uuid[], $3::integer[]) as n (instance_id, id, attempt)
where s.instance_id = n.instance_id
  and s.id = n.id
  and s.kind = 2
  and s.attempt = n.attempt
  and s.due_at > clock_timestamp()
returning s.instance_id, s.id, s.attempt
