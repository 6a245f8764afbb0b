-- Writes the decided instances. The caller holds their row locks, so the version must still be the one that it
-- read; should it not be, the division by zero undoes the whole transaction before its commit.
with updated as (
    update {schema}.instance i
    set
        version = n.version,
        updated_at = statement_timestamp(),
        status = n.status,
        waits = n.waits,
        step = n.step,
        state = n.state,
        progress = n.progress,
        error = n.error
    from (
        select n.*, x.place
        from unnest(
            $1::uuid[], $2::bigint[], $3::bigint[], $4::smallint[], $5::smallint[], $6::text[], $7::bytea[],
            $8::bytea[], $9::text[])
            as n (id, expected_version, version, status, waits, step, state, progress, error)
        cross join lateral (select x.ctid as place from {schema}.instance x where x.id = n.id offset 0) x
    ) n
    where i.ctid = n.place and i.version = n.expected_version
    returning 1
)
select 1 / (count(*) = cardinality($1))::integer from updated
