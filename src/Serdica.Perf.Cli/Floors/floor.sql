-- The floor: what a program does that starts, signals and completes an instance by single statements, each in a commit
-- of its own but for the last two, without an engine. For pgbench, which gives every caller its number.
\set n :n + 1
\set key :client_id * 1000000000000 + :n
insert into instance (id, version, state) values (:key, 0, repeat('w', 60));
insert into signal (instance_id, payload) values (:key, repeat('s', 256));
begin;
delete from signal where instance_id = :key;
update instance set version = 1, state = repeat('c', 60) where id = :key;
commit;
