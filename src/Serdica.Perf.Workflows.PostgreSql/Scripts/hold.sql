-- Holds those of the instances ($1) whose signals can be decided before they are stored, and reads them.
--
-- Lock: their rows, and nothing else; an instance that somebody else holds is skipped, as in claim.sql, so nobody waits. One
-- with a stored signal that is due is left to the workers: that signal comes first. It is not even locked, or callers that
-- signal it all the time would keep the workers from it.
--
-- Parents of instances that the transaction closes are held by the same statement, after all other locks. As it never waits,
-- their order makes no difference.
--
-- Race: FOR UPDATE reads a row that has changed since the statement began anew, but the rest of the statement keeps its
-- snapshot. A signal that was stored between the snapshot and the lock is not seen here; overdue.sql sees it.
--
-- Clock: due times are set by the clock of the node that callers connect to, and on Citus this statement reads that of the shard's
-- node. A signal that is due within a second there comes first, too, or one that was stored could be overtaken where clocks differ.
--
-- Plan: the signals of one instance by the primary key. OFFSET keeps the index on the due time, with all its dead entries, out
-- of it.
select
    i.id, i.parent_id, i.version, i.created_at, i.definition_version, i.status, i.waits, i.definition, i.step,
    i.business_key, i.state, i.progress, i.error, i.ctid::text, statement_timestamp()
from unnest($1::uuid[]) as n (id)
join {schema}.instance i on i.id = n.id{and_bucket:i}
where i.status < 2
  and octet_length(i.state) + coalesce(octet_length(i.progress), 0) <= $2
  and not exists (
      select
      from (select s.due_at from {schema}.signal s where s.instance_id = n.id{and_bucket:s} offset 0) x
      where x.due_at <= statement_timestamp()) --plain
      --citus where x.due_at <= statement_timestamp() + interval '1 second')
for update of i skip locked
