-- Has this session hand its counts over at the end of the transaction. Otherwise it does so at most once a second while
-- it works, and ten seconds after it became idle. PostgreSQL 15 and later.
select pg_stat_force_next_flush()
