-- What does not change while the statistics are open: the database's id, and the schemas of the extensions that are there.
select
    d.oid,
    (select e.extnamespace::regnamespace::text from pg_extension e where e.extname = 'pg_stat_statements'),
    to_regclass('pg_wait_sampling_profile') is not null,
    coalesce(current_setting('pg_wait_sampling.profile_period', true), '10')::float8
from pg_database d
where d.datname = current_database()
