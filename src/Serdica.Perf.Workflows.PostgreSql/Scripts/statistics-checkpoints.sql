-- Checkpoints of the server, PostgreSQL 14 to 16.
select
    (b.checkpoints_timed + b.checkpoints_req)::float8 as "checkpoints",
    b.buffers_checkpoint::float8 as "checkpointBuffers"
from pg_stat_bgwriter b
