-- The transactions that have written signals, or are about to, and have not ended; of those in $1 alone when it is given.
select l.virtualtransaction
from pg_locks l
where l.relation = '{schema}.signal'::regclass
  and l.mode = 'RowExclusiveLock'
  and l.granted
  and ($1::text[] is null or l.virtualtransaction = any ($1::text[]))
