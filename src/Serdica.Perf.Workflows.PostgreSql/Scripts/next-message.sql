select extract(epoch from m.due_at - statement_timestamp())::double precision
from {schema}.message m
where m.due_at > statement_timestamp()
order by m.due_at
limit 1
