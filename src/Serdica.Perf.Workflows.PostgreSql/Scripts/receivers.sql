-- Why signals were refused: for those whose instance exists, whether it has accepted the dedup key before. A
-- signal may have closed its instance, and come again because its answer was lost: then it is a duplicate.
select
    n.place::integer,
    exists (
        select from {schema}.signal_key k where k.instance_id = n.instance_id and k.dedup_key = n.dedup_key{and_bucket:k})
from unnest($1::uuid[], $2::text[]) with ordinality as n (instance_id, dedup_key, place)
join {schema}.instance i on i.id = n.instance_id{and_bucket:i}
