-- Removes signals that need not come any more. By key and not by place: an extension of the same lease may move
-- the row meanwhile, and it must go all the same. In the order of the keys, as in extend-leases.sql, so that the
-- two do not block each other.
delete from {schema}.signal s
using (
    select n.instance_id, n.id
    from unnest($1::uuid[], $2::uuid[]) as n (instance_id, id)
    order by n.instance_id, n.id) as n
where s.instance_id = n.instance_id and s.id = n.id{and_bucket:s}
