-- Prolongs leases that still run and have the newest fencing token; returns which.
--
-- Lock order: by key, as in withdraw.sql. A batch that withdraws some of the same leases meanwhile either goes
-- first, and they are lost, or waits for this single statement.
with held as materialized (
    select s.instance_id, s.id
    from {schema}.signal s
    join unnest($1::uuid[], $2::uuid[], $3::integer[]) as n (instance_id, id, attempt)
        on s.instance_id = n.instance_id and s.id = n.id and s.attempt = n.attempt
    where s.kind = 2 and s.due_at > clock_timestamp() --plain
    --citus where s.bucket = {bucket} and s.kind = 2 and s.due_at > statement_timestamp()
    order by s.instance_id, s.id
    for update of s
)
update {schema}.signal s
set due_at = clock_timestamp() + $4::interval --plain
--citus set due_at = statement_timestamp() + $4::interval
from held h
where s.instance_id = h.instance_id and s.id = h.id{and_bucket:s}
returning s.instance_id, s.id, s.attempt
