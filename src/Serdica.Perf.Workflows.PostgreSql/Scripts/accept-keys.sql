-- Stores the dedup keys of a batch whose signals are decided or stored by later statements, and returns those that nobody has
-- stored before. One statement for all of them, in the order of the keys, as in send-once.sql: a key that somebody else stores
-- at this moment is waited for, and batches must not wait for each other.
insert into {schema}.signal_key (instance_id, dedup_key) --plain
select distinct n.instance_id, n.dedup_key --plain
--citus insert into {schema}.signal_key as k (instance_id, dedup_key, bucket)
--citus select distinct n.instance_id, n.dedup_key, i.bucket
from unnest($1::uuid[], $2::text[]) as n (instance_id, dedup_key)
cross join lateral ( --plain
    select from {schema}.instance i where i.id = n.instance_id and i.status < 2 limit 1) as receiver --plain
--citus join {schema}.instance i on i.bucket = {bucket} and i.id = n.instance_id and i.status < 2
where n.dedup_key is not null
order by n.instance_id, n.dedup_key
on conflict do nothing
returning instance_id, dedup_key --plain
--citus returning k.instance_id, k.dedup_key
