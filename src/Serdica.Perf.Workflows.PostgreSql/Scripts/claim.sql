-- Claims instances that have due signals, and takes all their due signals, in one statement.
--
-- Lock: the rows of the instances and nothing else. Whoever holds an instance is the only one who takes its
-- signals, so they come in order and no two workers can wait for each other. An instance that somebody else holds
-- is skipped. However the transaction ends, it lets go of everything.
--
-- Index: signal_due, from the watermark $1 on. A scan from the very beginning would walk over all entries that
-- are dead and not yet vacuumed: 64 callers fell from 9,600/s to 3,000/s within 160,000 operations.
--
-- Race: FOR UPDATE reads a row that has changed since the statement began anew, so the instance is always the
-- latest; a signal that was taken meanwhile is gone for the DELETE, too. The DELETE asks for the due time again: servers up to
-- the releases of November 2025 follow a lease that is extended meanwhile to its new place without asking for anything else.
--
-- Plan: from the held instances to their signals, by index and then by place (ctid). The tables are empty at one
-- moment and full at the next, and a join that could be turned round was turned round: 25,000 comparisons a claim.
--
-- The sum with nothing keeps signal_due out of that step: with both tables small the planner took it, and each
-- instance walked over all due signals and all dead ones.
--
-- The first bound is the due time of the last candidate: an instance with thousands of due signals does not make the
-- batch larger than $2 by more than its earlier, late-committed ones. When the candidates have more than $3 bytes it is the
-- due time of the first candidate, and the second bound, otherwise null, says so: the caller asks for fewer the next time.
-- (Adding up the bytes candidate by candidate, or one more subquery for the answer, costs a sixth of a claim of one signal.)
--
-- The signals of an instance that the snapshot shows are numbered. State and progress come with the first. Should a number be
-- missing before one that is there, somebody else has taken that signal meanwhile: held.sql then finds out whether it was put back,
-- and reads the instance. (The first is not always the one that made the instance a candidate: that may be a later one, when an
-- earlier one was skipped with the instance and this was free again, or lies below the watermark. Choosing the row among those that
-- were deleted takes one more common table expression, and cost a quarter of a claim of 64 signals.)
--
-- The place of the held instance is returned with it: no one can move it before the caller's own update, which need
-- not look for it again.
-- A claim that leaves activities ($4) or definitions ($5, $6) alone has the lines marked --filter as well; the others are
-- spared the question. What it passes over lies below the watermark afterwards: a full poll finds it.
with candidate as materialized (
    select
        i.ctid::text as place, i.id, i.parent_id, i.version, i.created_at, i.definition_version, i.status, i.waits,
        i.definition, i.step, i.business_key, i.state, i.progress, i.error, s.due_at,
        octet_length(s.payload) + octet_length(i.state) + coalesce(octet_length(i.progress), 0) as bytes
        --citus , statement_timestamp() as now
    from {schema}.signal s
    join {schema}.instance i on i.id = s.instance_id{and_bucket:i}
    where s.due_at >= $1 and s.due_at <= statement_timestamp(){and_bucket:s}
    --filter and not ($4 and s.kind = 2)
    --filter and not exists (
    --filter     select from unnest($5::text[], $6::integer[]) as u (name, version)
    --filter     where u.name = i.definition and u.version = i.definition_version and i.status < 2)
    order by s.due_at
    limit $2
    for update of i skip locked
),
held as (
    select distinct on (id) * from candidate order by id, due_at
),
due as (
    select h.*, x.signal_place, x.number, x.bounds
    from held h
    cross join lateral (
        select
            x.ctid as signal_place,
            x.due_at,
            row_number() over (order by x.due_at, x.id) as number,
            (
                select array[
                    case when sum(c.bytes) <= $3 then max(c.due_at) else min(c.due_at) end,
                    case when sum(c.bytes) > $3 then '-infinity'::timestamptz end]
                from candidate c) as bounds
        from {schema}.signal x
        where x.instance_id = h.id{and_bucket:x}
        --filter and not ($4 and x.kind = 2)
        offset 0) x
    where x.due_at <= x.bounds[1]
)
delete from {schema}.signal s
using due d
where s.ctid = d.signal_place and s.due_at <= d.bounds[1]{and_bucket:s}
returning
    statement_timestamp(), s.instance_id, s.id, s.due_at, s.attempt, s.kind, s.name, s.payload, --plain
    --citus d.now, s.instance_id, s.id, s.due_at, s.attempt, s.kind, s.name, s.payload,
    d.parent_id, d.version, d.created_at, d.definition_version, d.status, d.waits, d.definition, d.step,
    d.business_key,
    case when d.number = 1 then d.state end,
    case when d.number = 1 then d.progress end,
    d.error, d.place,
    d.bounds[2] is not null, d.number
