-- Checkpoints of the server, PostgreSQL 14 to 16.
select
    (b.checkpoints_timed + b.checkpoints_req)::float8 as "checkpoints",
    b.buffers_checkpoint::float8 as "checkpointBuffers",
    pg_wal_lsn_diff(pg_current_wal_lsn(), (pg_control_checkpoint()).redo_lsn)::float8 as "walSinceCheckpoint"
from pg_stat_bgwriter b
