-- Writes the decided instances, each at the place where its claim found it. The caller holds their row locks, so place
-- and version must still be those that it read; should they not be, the division by zero undoes the whole transaction
-- before its commit. Places come as text: the driver does not write arrays of tid.
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
    from unnest(
        $1::text[], $2::uuid[], $3::bigint[], $4::bigint[], $5::smallint[], $6::smallint[], $7::text[], $8::bytea[],
        $9::bytea[], $10::text[])
        as n (place, id, expected_version, version, status, waits, step, state, progress, error)
    where i.ctid = n.place::tid and i.id = n.id and i.version = n.expected_version{and_bucket:i}
    returning 1
)
select 1 / (count(*) = cardinality($1))::integer from updated
