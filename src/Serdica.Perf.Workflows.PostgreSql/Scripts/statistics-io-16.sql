-- What sessions themselves did to pages of tables and indexes, PostgreSQL 16 and later. Writes and evictions by a session
-- are work that the background processes had not done in time.
select
    sum(io.writes)::float8 as "clientBlocksWritten",
    sum(io.extends)::float8 as "clientBlocksExtended",
    sum(io.evictions)::float8 as "clientBlocksEvicted"
from pg_stat_io io
where io.backend_type = 'client backend'
  and io.object = 'relation'
