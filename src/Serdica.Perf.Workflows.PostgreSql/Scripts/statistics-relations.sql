-- What was done to the tables of one schema, and how large they are. Sizes come from the file system, without a look at
-- the pages. By functions and not by pg_stat_all_tables, which joins and groups all indexes of the database. The table of
-- the schema's version is left out: it is written once, before any work, by a session that may tell of it much later.
with
    counted as (
        select
            pg_stat_get_tuples_inserted(c.oid) as inserted,
            pg_stat_get_tuples_updated(c.oid) as updated,
            pg_stat_get_tuples_deleted(c.oid) as deleted,
            pg_stat_get_tuples_hot_updated(c.oid) as hot_updated,
            pg_stat_get_live_tuples(c.oid) as live,
            pg_stat_get_dead_tuples(c.oid) as dead,
            pg_stat_get_vacuum_count(c.oid) as vacuums,
            pg_stat_get_autovacuum_count(c.oid) as autovacuums,
            pg_table_size(c.oid) as table_size,
            pg_indexes_size(c.oid) as index_size
        from pg_class c
        where c.relnamespace = (select n.oid from pg_namespace n where n.nspname = $1)
          and c.relkind = 'r'
          and c.relname <> 'schema_version'
    )
select
    coalesce(sum(inserted), 0)::float8 as "rowsInserted",
    coalesce(sum(updated), 0)::float8 as "rowsUpdated",
    coalesce(sum(deleted), 0)::float8 as "rowsDeleted",
    coalesce(sum(hot_updated), 0)::float8 as "rowsHotUpdated",
    coalesce(sum(inserted + updated + deleted), 0)::float8 as "rowsTouched",
    coalesce(sum(live), 0)::float8 as "liveRows",
    coalesce(sum(dead), 0)::float8 as "deadRows",
    coalesce(sum(vacuums), 0)::float8 as "vacuums",
    coalesce(sum(autovacuums), 0)::float8 as "autovacuums",
    coalesce(sum(table_size), 0)::float8 as "tableBytes",
    coalesce(sum(index_size), 0)::float8 as "indexBytes"
from counted
