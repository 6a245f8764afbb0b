-- Flushes of the write-ahead log from PostgreSQL 18 on, which moved them here from pg_stat_wal.
select sum(fsyncs)::float8 from pg_stat_io where object = 'wal'
