-- Counters of the whole server, which the suite has for itself.
--
-- last_xid and wal_position are read from shared memory as they stand, so their differences are exact: a transaction
-- gets an id when it first writes. The others come from the statistics system, to which a session reports when it has
-- been idle or a second has passed: they lag.
--
-- The database's row is the connected one. Session counters of this connection itself are not flushed first; it reads only.
select
    pg_snapshot_xmax(pg_current_snapshot())::text::numeric::float8 as last_xid,
    (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as wal_position,
    d.xact_commit::float8 as commits
from pg_stat_database d
where d.datname = current_database()
