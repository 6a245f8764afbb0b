-- Why signals were refused, as a PublishOutcome, for those whose instance exists. A signal may have closed its instance, and come again
-- because its answer was lost: then it is a duplicate. An instance that is open has been started meanwhile.
select
    n.place::integer,
    case
        when exists (
            select from {schema}.signal_key k where k.instance_id = n.instance_id and k.dedup_key = n.dedup_key{and_bucket:k})
        then 1
        when i.status < 2 then 2
        else 3
    end
from unnest($1::uuid[], $2::text[]) with ordinality as n (instance_id, dedup_key, place)
join {schema}.instance i on i.id = n.instance_id{and_bucket:i}
