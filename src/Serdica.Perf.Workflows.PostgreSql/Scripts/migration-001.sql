-- Instances, their signals, dead letters, dedup keys, and the bare queue.
--
-- Nothing is indexed that the engine does not look up: each index costs WAL and time on every write.
-- fillfactor leaves each instance room for a second version of itself in its page: it is written again soon, touches no
-- indexed column, and so needs no new index entry. With 80, two thirds of the updates found no room at 64 callers, and
-- one cost twice the time and three times the WAL.
-- The signal and message tables turn over completely within seconds: vacuum sees to them early, by absolute
-- numbers and not by a share, and without sleeping.

create table {schema}.instance (
    -- An update logs only what lies between the first and the last changed byte. So what never changes comes first, and then the state,
    -- which often keeps its beginning.
    id                 uuid        not null,
    --citus bucket     smallint    not null,
    created_at         timestamptz not null,
    definition_version integer     not null,
    definition         text        not null,
    business_key       text,
    parent_id          uuid,
    state              bytea       not null,
    progress           bytea,
    step               text        not null,
    error              text,
    version            bigint      not null,
    updated_at         timestamptz not null,
    status             smallint    not null,
    waits              smallint    not null,
    constraint instance_pk primary key (id) --plain
    --citus constraint instance_pk primary key (id, bucket)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- Only keyed instances pay for it.
create unique index instance_business_key on {schema}.instance (business_key) where business_key is not null; --plain
--citus create unique index instance_business_key on {schema}.instance (business_key, bucket) where business_key is not null;

create table {schema}.signal (
    --citus bucket smallint not null,
    instance_id uuid        not null,
    id          uuid        not null,
    due_at      timestamptz not null,
    attempt     integer     not null,
    kind        smallint    not null,
    name        text        not null,
    payload     bytea       not null,
    -- Led by the instance: one instance's signals lie together, and the table could be distributed by instance.
    constraint signal_pk primary key (instance_id, id) --plain
    --citus constraint signal_pk primary key (instance_id, id, bucket)
) with (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
    autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000);

create index signal_due on {schema}.signal (due_at);

create table {schema}.signal_key (
    --citus bucket smallint not null,
    instance_id uuid not null,
    dedup_key   text not null,
    constraint signal_key_pk primary key (instance_id, dedup_key) --plain
    --citus constraint signal_key_pk primary key (instance_id, dedup_key, bucket)
);

create table {schema}.dead_letter (
    --citus bucket smallint not null,
    signal_id   uuid        not null,
    instance_id uuid        not null,
    dead_at     timestamptz not null,
    attempt     integer     not null,
    kind        smallint    not null,
    reason      smallint    not null,
    name        text        not null,
    detail      text        not null,
    payload     bytea       not null,
    constraint dead_letter_pk primary key (signal_id) --plain
    --citus constraint dead_letter_pk primary key (signal_id, bucket)
);

create index dead_letter_age on {schema}.dead_letter (dead_at);

create table {schema}.message (
    --citus bucket smallint not null,
    --citus constraint message_pk primary key (id, bucket),
    id      uuid        not null,
    due_at  timestamptz not null,
    payload bytea       not null
) with (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
    autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000);

create index message_due on {schema}.message (due_at);

-- On Citus each bucket is one shard, and an instance lies with all that belongs to it. The bucket stands last in the keys: at their
-- head it would be a way into an index that leads to all rows of a bucket. Its own table gives inserts a shard to go to.
-- Messages have a primary key there, because shards without one cannot be moved while they are written.
--citus create table {schema}.bucket (bucket smallint not null constraint bucket_pk primary key);
--citus select create_distributed_table('{schema}.bucket', 'bucket', colocate_with := 'none', shard_count := {shards});
--citus insert into {schema}.bucket (bucket) select unnest(array[{buckets}]::smallint[]);
--citus select create_distributed_table('{schema}.instance', 'bucket', colocate_with := '{schema}.bucket');
--citus select create_distributed_table('{schema}.signal', 'bucket', colocate_with := '{schema}.bucket');
--citus select create_distributed_table('{schema}.signal_key', 'bucket', colocate_with := '{schema}.bucket');
--citus select create_distributed_table('{schema}.dead_letter', 'bucket', colocate_with := '{schema}.bucket');
--citus select create_distributed_table('{schema}.message', 'bucket', colocate_with := '{schema}.bucket');
--
-- For people: the same rows with the documents as JSON.
create view {schema}.instance_document as
select
    i.id, i.definition, i.definition_version, i.status, i.step, i.version, i.business_key, i.parent_id,
    i.created_at, i.updated_at, i.error,
    convert_from(i.state, 'UTF8')::jsonb    as state,
    convert_from(i.progress, 'UTF8')::jsonb as progress
from {schema}.instance i;
