-- Who has these business keys.
select i.business_key, i.id, i.definition
from {schema}.instance i
where i.business_key = any ($1::text[]){and_bucket:i}
