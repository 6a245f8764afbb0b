-- The costliest statements of the connected database, {extension} being the schema of pg_stat_statements. One row for
-- each text: the same text of two users, or one that was cut, is one statement here. What the statistics themselves asked
-- is left out. The columns are the same in PostgreSQL 14 to 18.
with
    statement as (
        select
            left(regexp_replace(replace(s.query, $1 || '.', ''), '\s+', ' ', 'g'), 200) as text,
            s.calls,
            s.total_exec_time,
            s.rows,
            s.wal_bytes
        from {extension}.pg_stat_statements s
        where s.dbid = (select d.oid from pg_database d where d.datname = current_database())
          and s.query not like '%serdica-perf-statistics%'
    )
select
    text,
    sum(calls)::bigint,
    sum(total_exec_time)::float8,
    sum(rows)::bigint,
    sum(wal_bytes)::float8
from statement
group by text
