-- The write-ahead log, PostgreSQL 14 to 17. A method of flushing that is part of the write itself (open_datasync,
-- open_sync) counts no flush. Time is only taken with track_wal_io_timing.
select
    w.wal_records::float8 as "walRecords",
    w.wal_fpi::float8 as "walFullPageImages",
    w.wal_buffers_full::float8 as "walBuffersFull",
    w.wal_sync::float8 as "walSyncs",
    case when current_setting('track_wal_io_timing')::boolean then w.wal_sync_time::float8 end as "walSyncTime"
from pg_stat_wal w
