-- Moves dead letters of open instances back to the signals, due now and with no attempt counted.
with taken as (
    delete from {schema}.dead_letter d
    using {schema}.instance i
    where d.signal_id = any ($1::uuid[]) and i.id = d.instance_id and i.status < 2
    returning d.*
)
insert into {schema}.signal (instance_id, id, due_at, attempt, kind, name, payload)
select t.instance_id, t.signal_id, clock_timestamp(), 0, t.kind, t.name, t.payload
from taken t
order by t.signal_id
