-- Removes signals that need not come any more. The caller holds the instances' row locks.
delete from {schema}.signal s
using (
    select x.place
    from unnest($1::uuid[], $2::uuid[]) as n (instance_id, id)
    cross join lateral (
        select x.ctid as place from {schema}.signal x where x.instance_id = n.instance_id and x.id = n.id offset 0) x
) n
where s.ctid = n.place
