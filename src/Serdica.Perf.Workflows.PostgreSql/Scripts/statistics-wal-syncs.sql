-- Flushes of the write-ahead log, PostgreSQL 14 to 17. A method of flushing that is part of the write itself
-- (open_datasync, open_sync) counts none.
select wal_sync::float8 from pg_stat_wal
