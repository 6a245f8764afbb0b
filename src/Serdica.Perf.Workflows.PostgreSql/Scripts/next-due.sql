-- How many seconds until the next signal is due; index signal_due.
select extract(epoch from s.due_at - statement_timestamp())::double precision
from {schema}.signal s
where s.due_at > statement_timestamp()
order by s.due_at
limit 1
