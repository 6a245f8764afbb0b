-- On Citus alone: the plans of the sessions that the coordinator opens on the workers, which the options of a connection do not reach.
-- They hold for the whole database, and for sessions that begin from now on. Only the owner of the database may set them; where
-- enable_hashjoin is set already, nothing is done.
do $$
begin
    perform pg_advisory_xact_lock(hashtextextended('serdica-perf plans', 0));
    if not exists (
        select
        from pg_db_role_setting s
        join pg_database d on d.oid = s.setdatabase
        cross join unnest(s.setconfig) as c (setting)
        where d.datname = current_database() and s.setrole = 0 and c.setting like 'enable\_hashjoin=%')
    then
        execute format('alter database %I set enable_hashjoin = off', current_database());
        execute format('alter database %I set enable_mergejoin = off', current_database());
        execute format('alter database %I set enable_seqscan = off', current_database());
        execute format('alter database %I set enable_bitmapscan = off', current_database());
        execute format('alter database %I set jit = off', current_database());
    end if;
end $$
