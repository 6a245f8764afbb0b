-- A page of dead letters, behind the one at ($2, $3), in the order of dead_letter_age. Filters that are null let all pass;
-- each execution is planned with its values, so that $5 finds dead_letter_instance.
select d.signal_id, d.instance_id, d.dead_at, d.attempt, d.kind, d.reason, d.name, d.detail, d.payload
from {schema}.dead_letter d
left join {schema}.instance i on i.id = d.instance_id{and_bucket:i=d}
where ($2::timestamptz is null or (d.dead_at, d.signal_id) > ($2, $3::uuid))
    and ($4::smallint is null or d.reason = $4)
    and ($5::uuid is null or d.instance_id = $5)
    and ($6::text is null or d.name = $6)
    and ($7::text is null or i.definition = $7)
    and ($8::boolean is null or coalesce(i.status < 2, false) = $8)
order by d.dead_at, d.signal_id
limit $1
