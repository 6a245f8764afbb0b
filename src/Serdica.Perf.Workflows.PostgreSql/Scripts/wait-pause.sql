-- Between two looks at the sessions: ten milliseconds of sleep, with the server's time before and after it. A transaction
-- sees the sessions as they were when it first looked, so that is cleared. Columns are evaluated from left to right.
select
    extract(epoch from clock_timestamp())::float8 as looked,
    pg_sleep(0.01),
    pg_stat_clear_snapshot(),
    extract(epoch from clock_timestamp())::float8 as woken
