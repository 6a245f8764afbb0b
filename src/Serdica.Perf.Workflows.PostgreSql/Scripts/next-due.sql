-- How many seconds until the next signal is due; index signal_due. It counts from the start of the transaction, which is
-- before the claim that has found nothing: what has become due since then was missed by it, is due now, and must not
-- be missed here too.
select extract(epoch from s.due_at - statement_timestamp())::double precision
from {schema}.signal s
where s.due_at > transaction_timestamp()
order by s.due_at
limit 1
