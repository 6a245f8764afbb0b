-- Moves dead letters of open instances back to the signals, due now and with no attempt counted. Citus takes the two parts only as
-- two statements: the caller sends what the first returns.
with taken as ( --plain
    delete from {schema}.dead_letter d
    using {schema}.instance i
    where d.signal_id = any ($1::uuid[]) and i.id = d.instance_id and i.status < 2{and_bucket:i=d}
    returning d.* --plain
    --citus returning d.instance_id, d.signal_id, d.kind, d.name, d.payload
) --plain
insert into {schema}.signal (instance_id, id, due_at, attempt, kind, name, payload) --plain
select t.instance_id, t.signal_id, clock_timestamp(), 0, t.kind, t.name, t.payload --plain
from taken t --plain
order by t.signal_id --plain
