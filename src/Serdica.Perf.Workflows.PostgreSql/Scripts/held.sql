-- Instances that this transaction holds, when somebody else has taken a signal that stands before one that their claim returned.
-- Should he have put it back, it lies at a new place, which the snapshot of the claim does not show, and still comes before that one
-- ($2 and $3 are the last that came). The division by zero then undoes the claim, and the next one sees all. Activities have no order.
select
    i.id, i.parent_id, i.version, i.created_at, i.definition_version, i.status, i.waits, i.definition, i.step,
    i.business_key, i.state, i.progress, i.error,
    1 / (not exists (
        select
        from (select s.due_at, s.id, s.kind from {schema}.signal s where s.instance_id = n.id{and_bucket:s} offset 0) x
        where x.kind <> 2 and x.due_at <= statement_timestamp() and (x.due_at, x.id) < (n.due_at, n.signal_id)))::integer
from unnest($1::uuid[], $2::timestamptz[], $3::uuid[]) as n (id, due_at, signal_id)
join {schema}.instance i on i.id = n.id{and_bucket:i}
