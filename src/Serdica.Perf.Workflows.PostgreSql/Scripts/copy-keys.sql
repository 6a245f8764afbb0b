-- Gives continuations the dedup keys that their predecessors have accepted. In the order of the keys, as in send-once.sql,
-- so that the two can't block each other. A key that somebody writes to the predecessor at this moment is not seen here;
-- its signal finds the predecessor closed, goes on to the continuation, and takes the key along then.
insert into {schema}.signal_key (instance_id, dedup_key) --plain
select n.to_id, k.dedup_key --plain
--citus insert into {schema}.signal_key (instance_id, dedup_key, bucket)
--citus select n.to_id, k.dedup_key, k.bucket
from unnest($1::uuid[], $2::uuid[]) as n (from_id, to_id)
join {schema}.signal_key k on k.instance_id = n.from_id{and_bucket:k}
cross join lateral ( --plain
    select from {schema}.instance i where i.id = n.to_id limit 1) as receiver --plain
--citus join {schema}.instance i on i.id = n.to_id{and_bucket:i}
order by n.to_id, k.dedup_key
on conflict do nothing
