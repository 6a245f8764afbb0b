-- Samples that the extension pg_wait_sampling took of the engine's sessions. It does not tell an idle session from one
-- that waits for its client within a transaction, so the wait for the client is left out.
select
    coalesce(p.event_type, 'CPU') as class,
    coalesce(p.event, 'running') as name,
    sum(p.count)::bigint as samples
from pg_wait_sampling_profile p
where p.event is distinct from 'ClientRead'
  and p.pid in (
      select a.pid
      from pg_stat_get_activity(null) a
      where a.datid = $1
        and a.application_name = any ($2))
group by 1, 2
