-- The stand-in for the Oracle package: the same tables, a queue that behaves as classic Advanced Queuing does, and one
-- function for each procedure, step by step as package-body.sql has it. It shows that the C# side is right; it shows
-- nothing of Oracle, and no figure taken from it is one of Oracle's.

create table {schema}.instance (
    instance_id  bytea  not null primary key,
    parent_id    bytea,
    business_key bytea  unique,
    definition   bytea  not null,
    version      bigint not null,
    status       int    not null,
    waits        int    not null,
    created_us   bigint not null,
    updated_us   bigint not null,
    content      bytea  not null,

    -- Behind the others, where the second migration puts it.
    definition_version int
);

create index instance_closed on {schema}.instance ((case when status >= 2 then updated_us end));

create table {schema}.signal (
    instance_id   bytea  not null,
    signal_id     bytea  not null,
    due_us        bigint not null,
    kind          int    not null,
    attempt       int    not null,
    message_id    bytea  not null,
    content_bytes int    not null,
    primary key (instance_id, signal_id)
);
create index signal_due on {schema}.signal (due_us, signal_id, instance_id);

create table {schema}.large
    (instance_id bytea not null, signal_id bytea not null, content bytea not null, primary key (instance_id, signal_id));
create table {schema}.signal_key (instance_id bytea not null, dedup_key bytea not null, primary key (instance_id, dedup_key));

create table {schema}.dead_letter (
    signal_id   bytea  not null primary key,
    instance_id bytea  not null,
    dead_us     bigint not null,
    kind        int    not null,
    attempt     int    not null,
    reason      int    not null,
    content     bytea  not null,
    detail      bytea  not null
);
create index dead_letter_owner on {schema}.dead_letter (instance_id);

create table {schema}.later (message_id bytea not null primary key, due_us bigint not null, name text not null);
create index later_due on {schema}.later (due_us, message_id);

-- The queue table.
create table {schema}.qt (
    msgid       bytea       not null primary key,
    q_name      text        not null,
    enqueued    bigint      not null generated always as identity,
    ready_at    timestamptz not null,
    retry_count int         not null default 0,
    correlation text,
    payload     bytea       not null
);
create index qt_order on {schema}.qt (q_name, enqueued);

create unlogged table {schema}.hint (sender bytea not null primary key);

create function {schema}.now_us() returns bigint language sql volatile as
    $$ select (extract(epoch from clock_timestamp()) * 1000000)::bigint $$;

create function {schema}.aq_enqueue(p_queue text, p_correlation text, p_wait_us bigint, p_payload bytea)
    returns bytea language plpgsql as $$
declare
    v_id bytea := decode(replace(gen_random_uuid()::text, '-', ''), 'hex');
begin
    insert into {schema}.qt (msgid, q_name, ready_at, correlation, payload)
    values (
        v_id, p_queue,
        clock_timestamp() + case when p_wait_us > 0 then least(ceil(p_wait_us / 1000000.0), 2592000) else 0 end * interval '1 second',
        p_correlation, p_payload);
    return v_id;
end $$;

-- By id whether ready or not; without an id the first one that is ready. What another transaction has taken is passed
-- over. The ids are noted in the transaction, for a rollback counts as a try.
create function {schema}.aq_dequeue(
    p_queue text, p_id bytea, p_seconds int, out taken boolean, out correlation text, out payload bytea) language plpgsql as $$
declare
    v_end timestamptz := clock_timestamp() + p_seconds * interval '1 second';
    v_id bytea;
begin
    loop
        if p_id is null then
            select q.msgid into v_id from {schema}.qt q
            where q.q_name = p_queue and q.ready_at <= clock_timestamp()
            order by q.enqueued limit 1 for update skip locked;
        else
            select q.msgid into v_id from {schema}.qt q where q.q_name = p_queue and q.msgid = p_id for update skip locked;
        end if;
        taken := v_id is not null;
        if taken then
            delete from {schema}.qt q where q.msgid = v_id returning q.correlation, q.payload into correlation, payload;
            perform set_config('standin.taken', coalesce(current_setting('standin.taken', true), '') || ' ' || encode(v_id, 'hex'), true);
            return;
        end if;
        exit when clock_timestamp() >= v_end;
        perform pg_sleep(0.02);
    end loop;
end $$;

-- What a rollback does to the messages that it gives back: above max_retries they move to the exception queue.
create function {schema}.aq_rolled_back(p_ids bytea[], p_max_retries int) returns void language sql as $$
    update {schema}.qt
    set retry_count = retry_count + 1, q_name = case when retry_count >= p_max_retries then 'exception' else q_name end
    where msgid = any (p_ids)
$$;

create function {schema}.take_by_id(p_queue text, p_id bytea, out taken boolean, out payload bytea) language plpgsql as $$
begin
    select d.taken, d.payload into taken, payload from {schema}.aq_dequeue(p_queue, p_id, 0) d;
    if not taken then
        select d.taken, d.payload into taken, payload from {schema}.aq_dequeue('exception', p_id, 0) d;
    end if;
end $$;

create function {schema}.due_of(p_item jsonb, p_now bigint) returns bigint language sql immutable as
    $$ select coalesce((p_item ->> 'due')::bigint, p_now + coalesce((p_item ->> 'delay')::bigint, 0)) $$;

create function {schema}.raw_of(p_item jsonb, p_name text) returns bytea language sql immutable as
    $$ select decode(p_item ->> p_name, 'hex') $$;

create function {schema}.hex(p_value bytea) returns text language sql immutable as
    $$ select upper(encode(p_value, 'hex')) $$;

create function {schema}.insert_instance(p_item jsonb, p_content bytea, p_now bigint) returns void language sql as $$
    insert into {schema}.instance
    values (
        {schema}.raw_of(p_item, 'id'), {schema}.raw_of(p_item, 'parent'), {schema}.raw_of(p_item, 'key'),
        {schema}.raw_of(p_item, 'definition'), (p_item ->> 'version')::bigint, (p_item ->> 'status')::int,
        (p_item ->> 'waits')::int, p_now, p_now, coalesce(p_content, ''),
        (p_item ->> 'definitionVersion')::int)
$$;

create function {schema}.start_instance(
    p_item jsonb, p_content bytea, p_now bigint, out outcome int, out owner_id bytea, out owner_definition bytea) language plpgsql as $$
begin
    loop
        begin
            perform {schema}.insert_instance(p_item, p_content, p_now);
            outcome := 0;
            return;
        exception when unique_violation then
            if not p_item ? 'key' then
                raise;
            end if;
        end;
        select i.instance_id, i.definition into owner_id, owner_definition
            from {schema}.instance i where i.business_key = {schema}.raw_of(p_item, 'key');
        if found then
            outcome := 1;
            return;
        end if;
        if exists (select from {schema}.instance where instance_id = {schema}.raw_of(p_item, 'id')) then
            raise unique_violation;
        end if;
    end loop;
end $$;

create function {schema}.put_signal(
    p_instance bytea, p_id bytea, p_due bigint, p_now bigint, p_kind int, p_attempt int, p_content bytea, p_large int)
returns void language plpgsql as $$
begin
    insert into {schema}.signal values (
        p_instance, p_id, p_due, p_kind, p_attempt,
        {schema}.aq_enqueue('signal', {schema}.hex(p_instance), p_due - p_now, coalesce(p_content, '\x00')),
        coalesce(p_large, length(p_content)));
    if p_large is not null then
        insert into {schema}.large values (p_instance, p_id, '');
    end if;
end $$;

create function {schema}.put_signal_of(p_item jsonb, p_instance bytea, p_content bytea, p_now bigint) returns void language sql as $$
    select {schema}.put_signal(
        p_instance, {schema}.raw_of(p_item, 'id'), {schema}.due_of(p_item, p_now), p_now, (p_item ->> 'kind')::int,
        (p_item ->> 'attempt')::int, p_content, (p_item ->> 'large')::int)
$$;

create function {schema}.publish_signal(p_item jsonb, p_content bytea, p_now bigint, out outcome int, out instance bytea)
    language plpgsql as $$
declare
    v_status int;
begin
    if p_item ? 'key' then
        select i.instance_id, i.status into instance, v_status
            from {schema}.instance i where i.business_key = {schema}.raw_of(p_item, 'key');
    else
        select i.instance_id, i.status into instance, v_status
            from {schema}.instance i where i.instance_id = {schema}.raw_of(p_item, 'instance');
    end if;
    outcome := case
        when v_status is null then 2
        when v_status < 2 then 0
        when exists (
            select from {schema}.signal_key k where k.instance_id = instance and k.dedup_key = {schema}.raw_of(p_item, 'dedup')) then 1
        else 3
    end;
    if outcome <> 0 then
        return;
    end if;
    if p_item ? 'dedup' then
        insert into {schema}.signal_key values (instance, {schema}.raw_of(p_item, 'dedup')) on conflict do nothing;
        if not found then
            outcome := 1;
            return;
        end if;
    end if;
    perform {schema}.put_signal_of(p_item, instance, p_content, p_now);
end $$;

create function {schema}.delete_belongings(p_instance bytea) returns void language plpgsql as $$
declare
    s record;
begin
    for s in select message_id from {schema}.signal where instance_id = p_instance loop
        perform {schema}.take_by_id('signal', s.message_id);
    end loop;
    delete from {schema}.signal where instance_id = p_instance;
    delete from {schema}.large where instance_id = p_instance;
    delete from {schema}.signal_key where instance_id = p_instance;
    delete from {schema}.dead_letter where instance_id = p_instance;
end $$;

create function {schema}.withdraw_signal(p_item jsonb) returns void language plpgsql as $$
declare
    v_message bytea;
begin
    delete from {schema}.signal
    where instance_id = {schema}.raw_of(p_item, 'instance') and signal_id = {schema}.raw_of(p_item, 'id')
    returning message_id into v_message;
    if found then
        perform {schema}.take_by_id('signal', v_message);
        delete from {schema}.large where instance_id = {schema}.raw_of(p_item, 'instance') and signal_id = {schema}.raw_of(p_item, 'id');
    end if;
end $$;

create function {schema}.requeue_letter(p_item jsonb, p_now bigint) returns int language plpgsql as $$
declare
    v_letter {schema}.dead_letter;
begin
    select d.* into v_letter
    from {schema}.dead_letter d
    where d.signal_id = {schema}.raw_of(p_item, 'id')
      and exists (select from {schema}.instance i where i.instance_id = d.instance_id and i.status < 2)
    for update of d;
    if not found then
        return 1;
    end if;
    if length(v_letter.content) > 16000 then
        perform {schema}.put_signal(
            v_letter.instance_id, v_letter.signal_id, p_now, p_now, v_letter.kind, 0, null, length(v_letter.content));
        update {schema}.large set content = v_letter.content where instance_id = v_letter.instance_id and signal_id = v_letter.signal_id;
    else
        perform {schema}.put_signal(v_letter.instance_id, v_letter.signal_id, p_now, p_now, v_letter.kind, 0, v_letter.content, null);
    end if;
    delete from {schema}.dead_letter where signal_id = v_letter.signal_id;
    return 0;
end $$;

create function {schema}.write_batch(
    p_items bytea, p_contents bytea, p_since bigint, out p_now_us bigint, out p_conflict bigint, out p_results bytea) language plpgsql as $$
declare
    v_now bigint := coalesce(p_since, {schema}.now_us());
    v_items jsonb := convert_from(p_items, 'UTF8')::jsonb;
    v_item jsonb;
    v_results text := '';
    v_offset int := 1;
    v_content bytea;
    v_detail bytea;
    v_outcome int;
    v_owner bytea;
    v_definition bytea;
    v_instance bytea;
    v_more text;
    v_due bigint;
    v_name text;
    v_message bytea;
begin
    p_now_us := v_now;
    p_conflict := 0;
    for n in 0 .. jsonb_array_length(v_items) - 1 loop
        v_item := v_items -> n;
        v_content := null;
        v_detail := null;
        if v_item ? 'content' then
            v_content := substr(p_contents, v_offset, (v_item ->> 'content')::int);
            v_offset := v_offset + (v_item ->> 'content')::int;
        end if;
        if v_item ? 'detail' then
            v_detail := substr(p_contents, v_offset, (v_item ->> 'detail')::int);
            v_offset := v_offset + (v_item ->> 'detail')::int;
        end if;
        v_outcome := 0;
        v_more := null;
        case v_item ->> 'op'
            when 'start' then
                select t.outcome, t.owner_id, t.owner_definition into v_outcome, v_owner, v_definition
                    from {schema}.start_instance(v_item, v_content, v_now) t;
                if v_outcome <> 0 then
                    v_more := ',"id":"' || {schema}.hex(v_owner)
                        || '","definition":"' || {schema}.hex(v_definition) || '"';
                end if;
            when 'child' then
                if exists (select from {schema}.instance where instance_id = {schema}.raw_of(v_item, 'starter')) then
                    perform {schema}.insert_instance(v_item, v_content, v_now);
                else
                    v_outcome := 1;
                end if;
            when 'copy' then
                insert into {schema}.signal_key
                select i.instance_id, k.dedup_key
                from {schema}.signal_key k, {schema}.instance i
                where k.instance_id = {schema}.raw_of(v_item, 'from') and i.instance_id = {schema}.raw_of(v_item, 'instance')
                order by k.dedup_key
                on conflict do nothing;
            when 'update' then
                update {schema}.instance
                set version = (v_item ->> 'version')::bigint, status = (v_item ->> 'status')::int, waits = (v_item ->> 'waits')::int,
                    updated_us = v_now, content = coalesce(v_content, ''), definition_version = (v_item ->> 'definitionVersion')::int
                where instance_id = {schema}.raw_of(v_item, 'id') and version = (v_item ->> 'expected')::bigint;
                if not found then
                    p_conflict := 1;
                    exit;
                end if;
            when 'send' then
                if exists (select from {schema}.instance where instance_id = {schema}.raw_of(v_item, 'instance')) then
                    perform {schema}.put_signal_of(v_item, {schema}.raw_of(v_item, 'instance'), v_content, v_now);
                else
                    v_outcome := 2;
                end if;
            when 'publish' then
                select p.outcome, p.instance into v_outcome, v_instance from {schema}.publish_signal(v_item, v_content, v_now) p;
                if v_outcome = 0 and v_item ? 'large' then
                    v_more := ',"id":"' || {schema}.hex(v_instance) || '"';
                end if;
            when 'withdraw' then
                perform {schema}.withdraw_signal(v_item);
            when 'forget' then
                delete from {schema}.large
                    where instance_id = {schema}.raw_of(v_item, 'instance') and signal_id = {schema}.raw_of(v_item, 'id');
            when 'dead' then
                insert into {schema}.dead_letter values (
                    {schema}.raw_of(v_item, 'id'), {schema}.raw_of(v_item, 'instance'), v_now, (v_item ->> 'kind')::int,
                    (v_item ->> 'attempt')::int, (v_item ->> 'reason')::int, coalesce(v_content, ''), coalesce(v_detail, ''));
            when 'requeue' then
                v_outcome := {schema}.requeue_letter(v_item, v_now);
            when 'extend' then
                update {schema}.signal set due_us = {schema}.due_of(v_item, v_now)
                where instance_id = {schema}.raw_of(v_item, 'instance') and signal_id = {schema}.raw_of(v_item, 'id')
                  and attempt = (v_item ->> 'attempt')::int and kind = 2 and due_us > v_now;
                v_outcome := case when found then 0 else 1 end;
            when 'message' then
                v_due := {schema}.due_of(v_item, v_now);
                v_name := (v_item ->> 'id') || ':' || v_due;
                if v_due <= v_now then
                    perform {schema}.aq_enqueue('message', v_name, 0, v_content);
                else
                    v_message := {schema}.aq_enqueue('later', v_name, v_due - v_now, v_content);
                    insert into {schema}.later values (v_message, v_due, v_name);
                end if;
            else
                raise exception using errcode = 'OR001', message = format('Item %s has no op that the package knows.', n);
        end case;
        if v_outcome <> 0 or v_more is not null then
            v_results := v_results || case when v_results <> '' then ',' else '' end
                || format('{"n":%s,"outcome":%s%s}', n, v_outcome, v_more);
        end if;
    end loop;
    p_results := convert_to('[' || v_results || ']', 'UTF8');
end $$;

create function {schema}.append_content(p_target text, p_instance_id bytea, p_signal_id bytea, p_chunk bytea)
    returns void language plpgsql as $$
begin
    case p_target
        when 'instance' then
            update {schema}.instance set content = content || p_chunk where instance_id = p_instance_id;
        when 'signal' then
            update {schema}.large set content = content || p_chunk where instance_id = p_instance_id and signal_id = p_signal_id;
        when 'letter' then
            update {schema}.dead_letter set content = content || p_chunk where signal_id = p_signal_id;
    end case;
    if not found then
        raise exception using errcode = 'OR403', message = 'no data found';
    end if;
end $$;

create function {schema}.claim_batch(
    p_max bigint, p_bytes bigint, p_skip bigint,
    out p_now_us bigint, out p_next_us bigint, out p_missing bigint, out p_instances bytea, out p_contents bytea)
language plpgsql as $$
declare
    v_seen bytea[] := '{}';
    v_json text := '';
    v_instance_json text;
    v_signals text;
    v_claimed int := 0;
    v_bytes bigint := 0;
    v_full boolean := false;
    v_before bytea;
    v_instance {schema}.instance;
    v_taken boolean;
    v_payload bytea;
    d record;
    s record;
begin
    p_now_us := {schema}.now_us();
    p_missing := 0;
    p_contents := '';
    for d in
        select instance_id from {schema}.signal
        where due_us <= p_now_us and (p_skip = 0 or kind <> 2)
        order by due_us, signal_id
    loop
        exit when v_full or v_claimed >= p_max or (v_claimed > 0 and v_bytes >= p_bytes);
        continue when d.instance_id = any (v_seen);
        v_seen := v_seen || d.instance_id;
        select * into v_instance from {schema}.instance where instance_id = d.instance_id for update skip locked;
        if not found then
            if not exists (select from {schema}.instance where instance_id = d.instance_id) then
                perform {schema}.delete_belongings(d.instance_id);
            end if;
            continue;
        end if;
        if length(v_instance.content) <= 16000 and length(p_contents) + length(v_instance.content) > 32000 then
            v_full := true;
            exit;
        end if;
        v_before := p_contents;
        v_instance_json := '{"id":"' || {schema}.hex(v_instance.instance_id) || '"'
            || coalesce(',"parent":"' || {schema}.hex(v_instance.parent_id) || '"', '')
            || coalesce(',"key":"' || {schema}.hex(v_instance.business_key) || '"', '')
            || format(
                ',"version":%s,"status":%s,"waits":%s,"created":%s,"updated":%s',
                v_instance.version, v_instance.status, v_instance.waits, v_instance.created_us, v_instance.updated_us);
        if length(v_instance.content) > 16000 then
            v_instance_json := v_instance_json || ',"large":1';
        else
            v_instance_json := v_instance_json || ',"content":' || length(v_instance.content);
            p_contents := p_contents || v_instance.content;
        end if;
        v_signals := '';
        for s in
            select * from {schema}.signal
            where instance_id = d.instance_id and due_us <= p_now_us and (p_skip = 0 or kind <> 2)
            order by due_us, signal_id
            for update skip locked
        loop
            v_full := v_claimed >= p_max or (v_claimed > 0 and v_bytes >= p_bytes) or length(v_json) + length(v_signals) > 29000
                or (s.content_bytes <= 16000 and length(p_contents) + s.content_bytes > 32000);
            exit when v_full;
            select t.taken, t.payload into v_taken, v_payload from {schema}.take_by_id('signal', s.message_id) t;
            if not v_taken then
                p_missing := p_missing + 1;
                exit;
            end if;
            delete from {schema}.signal where instance_id = s.instance_id and signal_id = s.signal_id;
            v_claimed := v_claimed + 1;
            v_bytes := v_bytes + s.content_bytes;
            v_signals := v_signals || case when v_signals <> '' then ',' else '' end
                || format('{"id":"%s","due":%s,"kind":%s,"attempt":%s', {schema}.hex(s.signal_id), s.due_us, s.kind, s.attempt);
            if s.content_bytes > 16000 then
                v_signals := v_signals || ',"large":1}';
            else
                v_signals := v_signals || ',"content":' || s.content_bytes || '}';
                p_contents := p_contents || v_payload;
            end if;
        end loop;
        if v_signals = '' then
            p_contents := v_before;
        else
            v_bytes := v_bytes + length(v_instance.content);
            v_json := v_json || case when v_json <> '' then ',' else '' end || v_instance_json || ',"signals":[' || v_signals || ']}';
        end if;
    end loop;
    p_instances := convert_to('[' || v_json || ']', 'UTF8');
    p_next_us := -1;
    if v_claimed = 0 then
        select coalesce(greatest(min(due_us) - {schema}.now_us(), 0), -1) into p_next_us
        from {schema}.signal where due_us > p_now_us having min(due_us) is not null;
        p_next_us := coalesce(p_next_us, -1);
    elsif v_claimed < p_max and (v_full or v_bytes >= p_bytes) then
        p_next_us := 0;
    end if;
end $$;

create function {schema}.receive_batch(
    p_max bigint, out p_now_us bigint, out p_next_us bigint, out p_messages bytea, out p_contents bytea)
language plpgsql as $$
declare
    v_look bigint := {schema}.now_us();
    v_json text := '';
    v_received int := 0;
    v_name text;
    v_taken boolean;
    v_payload bytea;
    d record;
begin
    p_contents := '';
    for d in select message_id from {schema}.later where due_us <= v_look order by due_us, message_id loop
        exit when v_received >= p_max or length(v_json) > 29000 or length(p_contents) + 8000 > 32000;
        select name into v_name from {schema}.later where message_id = d.message_id for update skip locked;
        continue when not found;
        select t.taken, t.payload into v_taken, v_payload from {schema}.take_by_id('later', d.message_id) t;
        continue when not v_taken;
        delete from {schema}.later where message_id = d.message_id;
        v_received := v_received + 1;
        v_json := v_json || case when v_json <> '' then ',' else '' end
            || format('{"id":"%s","due":%s,"content":%s}', left(v_name, 32), substr(v_name, 34), length(v_payload));
        p_contents := p_contents || v_payload;
    end loop;
    while v_received < p_max and length(v_json) <= 29000 and length(p_contents) + 8000 <= 32000 loop
        select t.taken, t.correlation, t.payload into v_taken, v_name, v_payload from {schema}.aq_dequeue('message', null, 0) t;
        exit when not v_taken;
        v_received := v_received + 1;
        v_json := v_json || case when v_json <> '' then ',' else '' end
            || format('{"id":"%s","due":%s,"content":%s}', left(v_name, 32), substr(v_name, 34), length(v_payload));
        p_contents := p_contents || v_payload;
    end loop;
    p_now_us := {schema}.now_us();
    p_messages := convert_to('[' || v_json || ']', 'UTF8');
    p_next_us := -1;
    if v_received = 0 then
        select greatest(min(due_us) - {schema}.now_us(), 0) into p_next_us
        from {schema}.later where due_us > v_look having min(due_us) is not null;
        p_next_us := coalesce(p_next_us, -1);
    end if;
end $$;

create function {schema}.purge_closed(p_age_us bigint, p_batch bigint, out p_purged bigint) language plpgsql as $$
declare
    v_limit bigint := {schema}.now_us() - p_age_us;
    i record;
begin
    p_purged := 0;
    for i in select c.instance_id from {schema}.instance c
             where case when c.status >= 2 then c.updated_us end < v_limit
               and not exists (select from {schema}.instance p where p.instance_id = c.parent_id and p.status < 2)
             for update skip locked loop
        perform {schema}.delete_belongings(i.instance_id);
        delete from {schema}.instance where instance_id = i.instance_id;
        p_purged := p_purged + 1;
        exit when p_purged >= p_batch;
    end loop;
end $$;

create function {schema}.purge_orphans(p_batch bigint, out p_purged bigint) language plpgsql as $$
declare
    o record;
begin
    p_purged := 0;
    for o in select b.instance_id
             from (
                 select instance_id from {schema}.signal
                 union
                 select instance_id from {schema}.signal_key
                 union
                 select instance_id from {schema}.dead_letter) b
             where not exists (select from {schema}.instance i where i.instance_id = b.instance_id)
             order by b.instance_id loop
        perform {schema}.delete_belongings(o.instance_id);
        p_purged := p_purged + 1;
        exit when p_purged >= p_batch;
    end loop;
end $$;

create function {schema}.begin_upkeep(p_pause_us bigint, out p_begun bigint) language plpgsql as $$
begin
    p_begun := 0;
    perform from {schema}.schema_version
    where schema_id = 1 and coalesce(upkeep_us, 0) <= {schema}.now_us() - p_pause_us
    for update skip locked;
    if found then
        update {schema}.schema_version set upkeep_us = {schema}.now_us() where schema_id = 1;
        p_begun := 1;
    end if;
end $$;

create function {schema}.sweep_messages(p_batch bigint, out p_swept bigint) language plpgsql as $$
declare
    m record;
begin
    p_swept := 0;
    for m in select q.q_name, q.msgid from {schema}.qt q
             where q.q_name = 'signal' and not exists (select from {schema}.signal s where s.message_id = q.msgid)
             union all
             select q.q_name, q.msgid from {schema}.qt q
             where q.q_name = 'later' and not exists (select from {schema}.later l where l.message_id = q.msgid) loop
        if (select d.taken from {schema}.aq_dequeue(m.q_name, m.msgid, 0) d) then
            p_swept := p_swept + 1;
        end if;
        exit when p_swept >= p_batch;
    end loop;
end $$;

-- Buffered messages: visible at once, of no transaction, and in no log.
create function {schema}.notify_work(p_sender bytea, out p_left bigint) language plpgsql as $$
begin
    insert into {schema}.hint values (p_sender) on conflict do nothing;
    get diagnostics p_left = row_count;
end $$;

create function {schema}.await_work(p_sender bytea, p_seconds bigint, out p_found bigint) language plpgsql as $$
declare
    v_end timestamptz := clock_timestamp() + p_seconds * interval '1 second';
begin
    loop
        delete from {schema}.hint where sender <> p_sender;
        get diagnostics p_found = row_count;
        exit when p_found > 0 or clock_timestamp() >= v_end;
        perform pg_sleep(0.02);
    end loop;
end $$;
