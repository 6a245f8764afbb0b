-- The transactions that have written signals, or are about to, and have not ended; of those in $1 alone when it is given.
-- On Citus each node tells of its own: one that was entered has locked the table, and one that has shards has locked these. A node
-- that does not answer has no transaction that could still write.
select l.virtualtransaction --plain
from pg_locks l --plain
where l.relation = '{schema}.signal'::regclass --plain
  and l.mode = 'RowExclusiveLock' --plain
  and l.granted --plain
  and ($1::text[] is null or l.virtualtransaction = any ($1::text[])) --plain
--citus select n.nodeid || ':' || w.id
--citus from run_command_on_all_nodes($command$
--citus     select coalesce(string_agg(distinct l.virtualtransaction, ','), '')
--citus     from pg_locks l
--citus     join pg_class c on c.oid = l.relation
--citus     where l.database = (select d.oid from pg_database d where d.datname = current_database())
--citus       and c.relnamespace = (select s.oid from pg_namespace s where s.nspname = '{schema}')
--citus       and c.relname ~ '^signal(_[0-9]+)?$'
--citus       and l.mode = 'RowExclusiveLock'
--citus       and l.granted $command$) n
--citus cross join unnest(string_to_array(n.result, ',')) as w (id)
--citus where n.success
--citus   and w.id <> ''
--citus   and ($1::text[] is null or n.nodeid || ':' || w.id = any ($1::text[]))
