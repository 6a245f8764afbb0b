-- Counters of the server and of the connected database.
--
-- writingCommits and walBytes are read from shared memory as they stand, so their differences are exact: a transaction
-- gets an id when it first writes, also one that is rolled back later. They are of the whole server. The others come from
-- the statistics system, to which sessions report when they come to it; they are of the connected database.
select
    pg_snapshot_xmax(pg_current_snapshot())::text::numeric::float8 as "writingCommits",
    (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as "walBytes",
    d.xact_commit::float8 as "commits",
    d.xact_rollback::float8 as "rollbacks",
    (d.blks_hit + d.blks_read)::float8 as "logicalReads",
    d.blks_read::float8 as "blocksRead",
    d.temp_files::float8 as "tempFiles",
    d.temp_bytes::float8 as "tempBytes",
    d.deadlocks::float8 as "deadlocks"
from pg_stat_database d
where d.datname = current_database()
