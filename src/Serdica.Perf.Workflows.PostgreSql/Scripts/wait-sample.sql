-- What the engine's sessions do this moment. wait_event_type is null for a session that runs; state is null when the server
-- has not been told of it yet or this user may not see it, and 'disabled' when it does not track activities.
select
    nullif(a.state, 'disabled') = 'idle' as idle,
    coalesce(a.wait_event_type, 'CPU') as class,
    coalesce(a.wait_event, 'running') as name,
    count(*) as sessions
from pg_stat_get_activity(null) a
where a.datid = $1
  and a.application_name = any ($2)
group by 1, 2, 3
