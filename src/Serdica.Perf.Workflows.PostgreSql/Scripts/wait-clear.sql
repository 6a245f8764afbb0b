-- See wait-sample.sql.
select pg_stat_clear_snapshot()
