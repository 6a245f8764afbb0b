-- How often the signals were vacuumed, by whomever; what the last vacuum has left of dead rows; and the session, if there is
-- one, that holds the oldest snapshot, for whose sake they are kept: of this database, or of none, as that of a standby. A
-- replication slot or a prepared transaction may hold one too.
select
    pg_stat_get_vacuum_count('{schema}.signal'::regclass) as vacuums,
    pg_stat_get_dead_tuples('{schema}.signal'::regclass) as dead,
    (
        select a.pid
        from pg_stat_activity a
        where a.backend_xmin is not null and a.pid <> pg_backend_pid()
          and coalesce(a.datname, current_database()) = current_database()
        order by age(a.backend_xmin) desc
        limit 1) as holder
