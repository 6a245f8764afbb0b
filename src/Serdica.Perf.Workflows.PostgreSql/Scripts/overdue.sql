-- Which of these instances have a stored signal that is due. It follows hold.sql in the same round trip, and its snapshot is
-- taken when the locks are held: from then on nobody takes or moves what is stored for a held instance, and what others store
-- for it later was not acknowledged before the signals of this transaction came.
select n.id
from unnest($1::uuid[]) as n (id)
where exists (
    select
    from (select s.due_at from {schema}.signal s where s.instance_id = n.id{and_bucket:s} offset 0) x
    where x.due_at <= statement_timestamp()) --plain
    --citus where x.due_at <= statement_timestamp() + interval '1 second')
