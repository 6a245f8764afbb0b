-- How many seconds until the next message is due; index message_due. It counts from the start of the transaction, which is
-- before the claim that has found nothing: what has become due since then was missed by it, is due now, and must not
-- be missed here too.
select extract(epoch from m.due_at - statement_timestamp())::double precision
from {schema}.message m
where m.due_at > transaction_timestamp()
order by m.due_at
limit 1
