-- Everything counted in one statement, so that it is of one moment. Stuck is what nothing will ever move: an open
-- instance that waits neither for the outside, nor for a signal that exists, nor for a child that is open.
with open as materialized (
    select
        o.definition, o.definition_version, count(*) as instances,
        count(*) filter (where o.waits & 16 <> 0) as parked,
        (array_agg(o.id) filter (where o.waits & 16 <> 0))[1] as parked_example
    from {schema}.instance o
    where o.status < 2
    group by o.definition, o.definition_version
)
select
    count(*) filter (where i.status = 0),
    count(*) filter (where i.status = 1),
    count(*) filter (where i.status = 2),
    count(*) filter (where i.status = 3),
    count(*) filter (where i.status = 4),
    (select count(*) from {schema}.signal s where s.due_at <= statement_timestamp()),
    (select count(*) from {schema}.signal s where s.due_at > statement_timestamp()),
    (select count(*) from {schema}.dead_letter),
    (select count(*) from {schema}.message),
    (
        select count(*)
        from {schema}.instance w
        where w.status < 2
          and w.waits & 1 = 0
          and not exists (select from {schema}.signal s where s.instance_id = w.id)
          and not (w.waits & 8 <> 0 and exists (
              select from {schema}.instance c where c.parent_id = w.id and c.status < 2))
    ),
    array(select o.definition from open o order by o.definition, o.definition_version),
    array(select o.definition_version from open o order by o.definition, o.definition_version),
    array(select o.instances from open o order by o.definition, o.definition_version),
    array(select o.parked from open o order by o.definition, o.definition_version),
    array(select o.parked_example from open o order by o.definition, o.definition_version)
from {schema}.instance i
