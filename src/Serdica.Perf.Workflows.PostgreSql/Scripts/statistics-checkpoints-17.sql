-- Checkpoints of the server from PostgreSQL 17 on, which gave them a view of their own.
select
    (c.num_timed + c.num_requested)::float8 as "checkpoints",
    c.buffers_written::float8 as "checkpointBuffers"
from pg_stat_checkpointer c
