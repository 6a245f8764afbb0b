-- Removes signals that need not come any more. By key and not by place: an extension of the same lease may move
-- the row meanwhile, and it must go all the same.
delete from {schema}.signal s
using unnest($1::uuid[], $2::uuid[]) as n (instance_id, id)
where s.instance_id = n.instance_id and s.id = n.id
