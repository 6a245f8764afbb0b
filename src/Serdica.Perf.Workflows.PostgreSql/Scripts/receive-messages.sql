-- Takes due messages; those that somebody else is taking are skipped. Index message_due, from the watermark $1 on.
delete from {schema}.message m --plain
where m.ctid = any (array( --plain
--citus with taken as materialized (
    select c.ctid --plain
    --citus select c.ctid as place, statement_timestamp() as now
    from {schema}.message c
    where c.due_at >= $1 and c.due_at <= statement_timestamp(){and_bucket:c}
    order by c.due_at
    limit $2
    for update skip locked)) --plain
returning statement_timestamp(), m.id, m.due_at, m.payload --plain
    --citus for update skip locked)
--citus delete from {schema}.message m
--citus using taken t
--citus where m.bucket = {bucket} and m.ctid = t.place
--citus returning t.now, m.id, m.due_at, m.payload
