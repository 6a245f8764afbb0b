-- How the sessions of the connected database stand this moment, those of the statistics left out.
select
    count(*)::float8 as "connections",
    count(*) filter (where a.wait_event_type = 'Lock')::float8 as "sessionsWaitingForLocks",
    coalesce(extract(epoch from clock_timestamp() - min(a.xact_start)) * 1000, 0)::float8 as "oldestTransactionAge",
    pg_notification_queue_usage()::float8 as "notificationQueueUsage"
from pg_stat_get_activity(null) a
where a.datid = (select d.oid from pg_database d where d.datname = current_database())
  and a.backend_type = 'client backend'
  and a.application_name <> $1
