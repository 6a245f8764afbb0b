-- On Citus alone: for each bucket, for how many seconds the oldest of its messages has been due, and in how many the next one will be.
-- All shards, each by the index message_due; a claim asks one bucket.
select
    b.bucket,
    (
        select extract(epoch from statement_timestamp() - s.due_at)::double precision
        from {schema}.message s
        where s.bucket = b.bucket and s.due_at <= statement_timestamp()
        order by s.due_at
        limit 1),
    (
        select extract(epoch from s.due_at - statement_timestamp())::double precision
        from {schema}.message s
        where s.bucket = b.bucket and s.due_at > statement_timestamp()
        order by s.due_at
        limit 1)
from {schema}.bucket b
