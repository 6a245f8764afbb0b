-- What the shipped package needs of Oracle and IvorySQL 5.4 does not have: some types and functions, and classic Advanced
-- Queuing as far as the package uses it. Not here: more than one consumer, expiration, priorities, retention, and how late
-- AQ's own processes are. A line with a slash ends a statement.
create domain pls_integer as sys.number
/
create domain binary_integer as sys.number
/
create domain json_object_t as jsonb
/
create domain json_array_t as jsonb
/
create cast (sys.dsinterval as pg_catalog.interval) with inout as implicit
/
create function json_parse(p_text text) returns jsonb language sql as $$ select $1::jsonb $$
/
create function json_string(p_item jsonb, p_name varchar2) returns varchar2 language sql as
  $$ select pg_catalog.jsonb_object_field_text($1, $2)::varchar2(32767) $$
/
create function json_number(p_item jsonb, p_name varchar2) returns number language sql as
  $$ select pg_catalog.jsonb_object_field_text($1, $2)::number $$
/
create function rawtohex(p_bytes bytea) returns varchar2 language sql as
  $$ select pg_catalog.upper(pg_catalog.encode($1, 'hex'))::varchar2(32767) $$
/
-- The literal '' is NULL.
create function empty_blob() returns bytea language sql as $$ select '\x'::bytea $$
/
create function part_of(p_bytes bytea, p_from number, p_length number) returns bytea language sql as $$
  select case when $2 <= pg_catalog.octet_length($1) and $3 > 0
    then pg_catalog.substr($1, $2::int4, $3::int4) end
$$
/
create function fail(p_state text, p_message text) returns void language plpgsql as $$
begin
  raise exception using errcode = p_state, message = p_message;
end $$
/
create procedure raise_application_error(p_number number, p_message varchar2) as
begin
  PERFORM fail('OR001', p_message);
end;
/
create schema utl_raw
/
create function utl_raw.length(r raw) returns number language sql as $$ select pg_catalog.octet_length($1)::number $$
/
create function utl_raw.substr(r raw, pos number, len number) returns raw language sql as $$ select part_of($1, $2, $3)::raw $$
/
create function utl_raw.concat(r1 raw, r2 raw) returns raw language sql as $$
  select case when $1 is null then $2 when $2 is null then $1 else pg_catalog.byteacat($1, $2)::raw end
$$
/
create function utl_raw.cast_to_raw(c varchar2) returns raw language sql as $$ select pg_catalog.convert_to($1, 'UTF8')::raw $$
/
create function utl_raw.cast_to_varchar2(r raw) returns text language sql as $$ select pg_catalog.convert_from($1, 'UTF8') $$
/
create schema dbms_lob
/
create procedure dbms_lob.createtemporary(lob_loc in out blob, cache in boolean, dur in number) is
begin
  lob_loc := empty_blob();
end;
/
create procedure dbms_lob.writeappend(lob_loc in out blob, amount in number, buffer in raw) is
begin
  lob_loc := pg_catalog.byteacat(lob_loc, part_of(buffer, 1, amount));
end;
/
create function dbms_lob.getlength(lob_loc blob) returns number language sql as $$ select pg_catalog.octet_length($1)::number $$
/
create function dbms_lob.substr(lob_loc blob, amount number, pos number) returns raw language sql as
  $$ select part_of($1, $3, $2)::raw $$
/
create table aq_table (name text primary key)
/
create table aq_queue (
  name    text primary key,
  q_table text not null,
  retries int4,
  enq     boolean not null default false,
  deq     boolean not null default false)
/
create view user_queue_tables as select name::varchar2 as queue_table from aq_table
/
create view user_queues as select name::varchar2 as name from aq_queue
/
create function aq_now() returns int8 language sql as
  $$ select (pg_catalog.date_part('epoch', pg_catalog.clock_timestamp()) * 1000000)::int8 $$
/
-- A state is what the time makes of it: 0 is READY, 1 WAITING, 3 in the exception queue.
create function aq_create_table(p_name text) returns void language plpgsql as $$
declare
  v_name text := pg_catalog.lower(p_name);
begin
  insert into aq_table values (p_name);
  insert into aq_queue (name, q_table) values ('AQ$_' || p_name || '_E', p_name);
  execute 'create table aq_' || v_name || ' (
    msgid bytea primary key, q_name text not null, enq_no int8 generated always as identity,
    ready_us int8 not null, retry_count int4 not null default 0, corrid text,
    user_data bytea not null)';
  execute 'create index aqi_' || v_name || ' on aq_' || v_name || ' (q_name, enq_no)';
  execute 'create view ' || v_name || ' as select msgid, q_name, corrid, user_data,
    case when left(q_name, 4) = ''AQ$_'' then 3 when ready_us > aq_now() then 1 else 0 end as state from aq_' || v_name;
end $$
/
create function aq_drop_table(p_name text) returns void language plpgsql as $$
begin
  delete from aq_table where name = p_name;
  if not found then
    perform fail('Q4002', 'QUEUE_TABLE ' || p_name || ' does not exist');
  end if;
  delete from aq_queue where q_table = p_name;
  execute 'drop table aq_' || pg_catalog.lower(p_name) || ' cascade';
end $$
/
create function aq_queue_of(p_name text, p_enqueue boolean) returns aq_queue language plpgsql as $$
declare
  v_queue aq_queue;
begin
  select * into v_queue from aq_queue where name = p_name and case when p_enqueue then enq else deq end;
  if not found then
    perform fail('Q5226', 'queue ' || p_name || ' does not exist, or is not started');
  end if;
  return v_queue;
end $$
/
-- A hint is of no transaction in AQ; here it is of the one call that the driver commits by itself.
create function aq_enqueue(
  p_queue text, p_visibility number, p_delivery number, p_delay number, p_expiration number, p_corrid text,
  p_payload bytea) returns bytea language plpgsql as $$
declare
  v_queue aq_queue := aq_queue_of(p_queue, true);
  v_id    bytea := pg_catalog.uuid_send(pg_catalog.gen_random_uuid());
begin
  if (p_visibility = 1) <> (coalesce(p_delivery, 1) = 2) or p_expiration <> -1 or p_delay < 0 or p_delay <> floor(p_delay) then
    perform fail('Q5999', 'the stand-in has neither that visibility, nor that expiration, nor that delay');
  end if;
  execute 'insert into aq_' || pg_catalog.lower(v_queue.q_table)
    || ' (msgid, q_name, ready_us, corrid, user_data) values ($1, $2, $3, $4, $5)'
    using v_id, p_queue, aq_now() + (coalesce(p_delay, 0) * 1000000)::int8, p_corrid, p_payload;
  return v_id;
end $$
/
create type aq_message as (msgid bytea, corrid text, user_data bytea)
/
-- By id whether READY or not; without an id the first one that is READY. What another transaction has taken is passed over. The
-- ids are noted in the transaction, for a rollback counts as a try.
create function aq_dequeue(
  p_queue text, p_mode number, p_navigation number, p_visibility number, p_delivery number, p_wait number,
  p_id bytea, p_corrid text, p_condition text) returns aq_message language plpgsql as $$
declare
  v_queue   aq_queue := aq_queue_of(p_queue, false);
  v_table   text := 'aq_' || pg_catalog.lower(v_queue.q_table);
  v_end     int8 := aq_now() + (p_wait * 1000000)::int8;
  v_message aq_message;
begin
  if (p_visibility = 1) <> (coalesce(p_delivery, 1) = 2) or p_navigation <> 1 or p_wait < 0 then
    perform fail('Q5999', 'the stand-in has neither that visibility, nor that navigation, nor that wait');
  end if;
  loop
    execute 'select tab.msgid, tab.corrid, tab.user_data from ' || v_table || ' tab where tab.q_name = $1'
      || case when p_id is null then ' and tab.ready_us <= $2' else ' and tab.msgid = $3' end
      || case when p_corrid is not null then ' and tab.corrid = $4' end
      || case when p_condition is not null then ' and (' || p_condition || ')' end
      || ' order by tab.enq_no limit 1' || case when p_mode <> 1 then ' for update skip locked' end
      into v_message using p_queue, aq_now(), p_id, p_corrid;
    exit when v_message.msgid is not null;
    if aq_now() >= v_end then
      perform fail(case when p_id is null then 'Q5228' else 'Q5263' end, 'no message in queue ' || p_queue);
    end if;
    perform pg_catalog.pg_sleep(0.02);
  end loop;
  if p_mode <> 1 then
    execute 'delete from ' || v_table || ' where msgid = $1' using v_message.msgid;
    perform pg_catalog.set_config(
      'standin.taken',
      pg_catalog.concat(pg_catalog.current_setting('standin.taken', true), ' ', pg_catalog.encode(v_message.msgid, 'hex')), true);
  end if;
  if p_mode = 4 then
    v_message.user_data := null;
  end if;
  return v_message;
end $$
/
-- What a rollback does to the messages that it gives back: above max_retries they move to the exception queue.
create function aq_rolled_back(p_table text, p_ids bytea[]) returns void language plpgsql as $$
begin
  execute 'update aq_' || pg_catalog.lower(p_table) || ' m set retry_count = m.retry_count + 1,
    q_name = case when m.retry_count >= q.retries then ''AQ$_'' || q.q_table || ''_E'' else m.q_name end
    from aq_queue q where q.name = m.q_name and m.msgid = any ($1)' using p_ids;
end $$
/
create type dbms_aq_enqueue_options_t as (visibility number, delivery_mode number)
/
create type dbms_aq_dequeue_options_t as (
  dequeue_mode number, navigation number, visibility number, delivery_mode number, wait number, msgid bytea,
  correlation varchar2(128), deq_condition varchar2(4000))
/
create type dbms_aq_message_properties_t as (correlation varchar2(128), delay number, expiration number)
/
create schema dbms_aq
/
create procedure dbms_aq.enqueue(
  queue_name in varchar2, enqueue_options in dbms_aq_enqueue_options_t, message_properties in dbms_aq_message_properties_t,
  payload in raw, msgid out raw) is
begin
  msgid := aq_enqueue(
    queue_name, enqueue_options.visibility, enqueue_options.delivery_mode, message_properties.delay,
    message_properties.expiration, message_properties.correlation, payload);
end;
/
create procedure dbms_aq.dequeue(
  queue_name in varchar2, dequeue_options in dbms_aq_dequeue_options_t,
  message_properties in out dbms_aq_message_properties_t, payload out raw, msgid out raw) is
  m aq_message;
begin
  m := aq_dequeue(
    queue_name, dequeue_options.dequeue_mode, dequeue_options.navigation, dequeue_options.visibility,
    dequeue_options.delivery_mode, dequeue_options.wait, dequeue_options.msgid, dequeue_options.correlation,
    dequeue_options.deq_condition);
  message_properties.correlation := m.corrid;
  payload := m.user_data;
  msgid := m.msgid;
end;
/
create schema dbms_aqadm
/
create procedure dbms_aqadm.create_queue_table(
  queue_table in varchar2, queue_payload_type in varchar2, storage_clause in varchar2, sort_list in varchar2,
  multiple_consumers in boolean, message_grouping in number, comment in varchar2) is
begin
  PERFORM aq_create_table(queue_table);
end;
/
create procedure dbms_aqadm.create_queue(
  queue_name in varchar2, queue_table in varchar2, queue_type in number, max_retries in number, retry_delay in number,
  retention_time in number) is
begin
  INSERT INTO aq_queue (name, q_table, retries) VALUES (queue_name, queue_table, max_retries);
end;
/
create procedure dbms_aqadm.start_queue(queue_name in varchar2, enqueue in boolean, dequeue in boolean) is
begin
  UPDATE aq_queue SET enq = enq OR enqueue, deq = deq OR dequeue WHERE name = queue_name;
end;
/
create procedure dbms_aqadm.drop_queue_table(queue_table in varchar2, force in boolean) is
begin
  PERFORM aq_drop_table(queue_table);
end;
/
create type call_result as (
  n1 int8, n2 int8, n3 int8, b1 bytea, b2 bytea)
