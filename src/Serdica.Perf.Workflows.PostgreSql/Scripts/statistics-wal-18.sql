-- The write-ahead log from PostgreSQL 18 on, which moved flushes and their time from pg_stat_wal to pg_stat_io.
select
    w.wal_records::float8 as "walRecords",
    w.wal_fpi::float8 as "walFullPageImages",
    w.wal_buffers_full::float8 as "walBuffersFull",
    (select sum(io.fsyncs) from pg_stat_io io where io.object = 'wal')::float8 as "walSyncs",
    case when current_setting('track_wal_io_timing')::boolean then
        (select sum(io.fsync_time) from pg_stat_io io where io.object = 'wal')::float8
    end as "walSyncTime"
from pg_stat_wal w
