-- On Citus alone: the worker that has the shard of each bucket.
select b.bucket, n.nodename, n.nodeport
from unnest($1) as b (bucket)
join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('{schema}.instance', b.bucket)
join pg_dist_node n on n.groupid = p.groupid
where n.noderole = 'primary' and n.isactive
