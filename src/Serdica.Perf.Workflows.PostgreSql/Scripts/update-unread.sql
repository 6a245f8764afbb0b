-- Writes decisions on instances that this host wrote last and has not read since. Each instance must still have the version that
-- was decided on, must not be held by somebody else, and must have no stored signal that is due: that one comes first. If one
-- of them fails this, the division by zero undoes the whole transaction before its commit.
--
-- Lock: their rows, as in hold.sql; nobody waits.
--
-- Race: here the version takes the place of overdue.sql. A signal that was acknowledged before those of this transaction came is
-- either in the snapshot, or a turn took it, and that turn has raised the version, or still holds the row. A signal that a turn has
-- sent became visible with the version of that turn. FOR UPDATE reads a row that has changed since the snapshot anew, and compares
-- the version again.
with held as materialized (
    select i.ctid as place, n.*
    from unnest(
        $1::uuid[], $2::bigint[], $3::bigint[], $4::smallint[], $5::smallint[], $6::text[], $7::bytea[], $8::bytea[], $9::text[])
        as n (id, expected_version, version, status, waits, step, state, progress, error)
    join {schema}.instance i on i.id = n.id and i.version = n.expected_version{and_bucket:i}
    where not exists (
        select
        from (select s.due_at from {schema}.signal s where s.instance_id = n.id{and_bucket:s} offset 0) x
        where x.due_at <= statement_timestamp()) --plain
        --citus where x.due_at <= statement_timestamp() + interval '1 second')
    for update of i skip locked
),
updated as (
    update {schema}.instance i
    set
        version = h.version,
        updated_at = statement_timestamp(),
        status = h.status,
        waits = h.waits,
        step = h.step,
        state = h.state,
        progress = h.progress,
        error = h.error
    from held h
    where i.ctid = h.place and i.id = h.id{and_bucket:i}
    returning 1
)
select statement_timestamp(), 1 / (count(*) = cardinality($1))::integer from updated
