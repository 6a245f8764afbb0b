-- Takes due messages; those that somebody else is taking are skipped. Index message_due, from the watermark $1 on.
delete from {schema}.message m
where m.ctid = any (array(
    select c.ctid
    from {schema}.message c
    where c.due_at >= $1 and c.due_at <= statement_timestamp()
    order by c.due_at
    limit $2
    for update skip locked))
returning statement_timestamp(), m.id, m.due_at, m.payload
