-- Checkpoints of the server from PostgreSQL 17 on, which gave them a view of their own.
select
    (c.num_timed + c.num_requested)::float8 as "checkpoints",
    c.buffers_written::float8 as "checkpointBuffers",
    pg_wal_lsn_diff(pg_current_wal_lsn(), (pg_control_checkpoint()).redo_lsn)::float8 as "walSinceCheckpoint"
from pg_stat_checkpointer c
