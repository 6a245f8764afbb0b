-- Has this session hand its counts over at the end of the transaction. Otherwise it does so at most once a second while
-- it works, and ten seconds after it became idle. Commits alone are never handed over, only together with something done
-- to a table: hence the look at one. PostgreSQL 15 and later.
select pg_stat_force_next_flush()
from pg_database d
where d.datname = current_database()
