-- The status of instances, to tell why signals to them were refused.
select i.id, i.status
from {schema}.instance i
where i.id = any ($1::uuid[])
