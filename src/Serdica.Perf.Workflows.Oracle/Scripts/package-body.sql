CREATE OR REPLACE PACKAGE BODY {wf} AS
  -- How signals lie: the message in the queue carries the content; a row of {wf}_signal says whose it is, when it is
  -- due to the microsecond, and which message it is. AQ alone keeps neither the order of one instance's messages
  -- among concurrent consumers nor a delay below a second, and finds nothing by our ids. Signals are therefore taken
  -- by message id, which ignores the delay; the delay of the message, rounded up to whole seconds, keeps its state
  -- in the queue's own views true to within a second.
  --
  -- Lock order, everywhere: instances first, then what belongs to them. Only the holder of an instance's row lock
  -- takes or removes its signals; the extension of a lease, which touches a row that is not due, is the one other
  -- writer. Callers bring withdrawals and extensions in the order of their keys.

  SUBTYPE t_id    IS RAW(16);
  SUBTYPE t_bytes IS RAW(32767);
  SUBTYPE t_text  IS VARCHAR2(32767);
  TYPE t_seen IS TABLE OF BOOLEAN INDEX BY VARCHAR2(32);

  k_signal_queue    CONSTANT VARCHAR2(128) := '{wf}_SIGNAL_Q';
  k_message_queue   CONSTANT VARCHAR2(128) := '{wf}_MESSAGE_Q';
  k_later_queue     CONSTANT VARCHAR2(128) := '{wf}_LATER_Q';
  k_hint_queue      CONSTANT VARCHAR2(128) := '{wf}_HINT_Q';
  k_exception_queue CONSTANT VARCHAR2(128) := 'AQ$_{wf}_QT_E';

  -- The largest content that travels beside a document. Two of them fit, so an instance with one signal always does.
  k_inline_bytes  CONSTANT PLS_INTEGER := 16000;
  k_message_bytes CONSTANT PLS_INTEGER := 8000;
  k_batch_bytes   CONSTANT PLS_INTEGER := 32000;

  -- One more instance and one more signal still fit behind it: a key has at most 800 bytes.
  k_document_length CONSTANT PLS_INTEGER := 29000;

  -- Statuses from this one on are closed.
  k_closed CONSTANT PLS_INTEGER := 2;

  -- The kind of signal that leases an activity.
  k_activity CONSTANT PLS_INTEGER := 2;

  k_accepted        CONSTANT PLS_INTEGER := 0;
  k_refused         CONSTANT PLS_INTEGER := 1;
  k_duplicate       CONSTANT PLS_INTEGER := 1;
  k_unknown         CONSTANT PLS_INTEGER := 2;
  k_instance_closed CONSTANT PLS_INTEGER := 3;

  k_microseconds CONSTANT NUMBER := 1000000;

  -- As many rows count as one more instance of a purge: the undo of one call stays small.
  k_instance_rows CONSTANT PLS_INTEGER := 40;

  -- Thirty days. AQ need not know more of a distant timer than that it is not soon.
  k_longest_delay CONSTANT NUMBER := 2592000;

  e_no_message EXCEPTION;
  PRAGMA EXCEPTION_INIT(e_no_message, -25228);
  e_no_such_message EXCEPTION;
  PRAGMA EXCEPTION_INIT(e_no_such_message, -25263);

  FUNCTION now_us RETURN NUMBER IS
    l_now TIMESTAMP(6) := SYS_EXTRACT_UTC(SYSTIMESTAMP);
    l_age INTERVAL DAY(9) TO SECOND(6) := l_now - TIMESTAMP '1970-01-01 00:00:00';
  BEGIN
    RETURN ((EXTRACT(DAY FROM l_age) * 24 + EXTRACT(HOUR FROM l_age)) * 60 + EXTRACT(MINUTE FROM l_age)) * 60 * k_microseconds
      + ROUND(EXTRACT(SECOND FROM l_age) * k_microseconds);
  END now_us;

  -- What stands in the queue in place of a large content. A constant that is not a literal would be state of the package, and
  -- each compilation would cost every session an ORA-04068.
  FUNCTION elsewhere RETURN RAW IS
  BEGIN
    RETURN HEXTORAW('00');
  END elsewhere;

  FUNCTION length_of(p_bytes IN RAW) RETURN PLS_INTEGER IS
  BEGIN
    -- No bytes at all are NULL to Oracle.
    RETURN CASE WHEN p_bytes IS NULL THEN 0 ELSE UTL_RAW.LENGTH(p_bytes) END;
  END length_of;

  FUNCTION to_lob(p_bytes IN RAW) RETURN BLOB IS
    l_lob BLOB;
  BEGIN
    DBMS_LOB.CREATETEMPORARY(lob_loc => l_lob, cache => TRUE, dur => DBMS_LOB.CALL);
    IF p_bytes IS NOT NULL THEN
      DBMS_LOB.WRITEAPPEND(lob_loc => l_lob, amount => UTL_RAW.LENGTH(p_bytes), buffer => p_bytes);
    END IF;
    RETURN l_lob;
  END to_lob;

  FUNCTION id_of(p_item IN JSON_OBJECT_T, p_name IN VARCHAR2) RETURN RAW IS
  BEGIN
    RETURN HEXTORAW(p_item.get_String(p_name));
  END id_of;

  FUNCTION due_of(p_item IN JSON_OBJECT_T, p_now IN NUMBER) RETURN NUMBER IS
  BEGIN
    RETURN NVL(p_item.get_Number('due'), p_now + NVL(p_item.get_Number('delay'), 0));
  END due_of;

  FUNCTION is_large(p_item IN JSON_OBJECT_T) RETURN BOOLEAN IS
  BEGIN
    RETURN p_item.get_Number('large') IS NOT NULL;
  END is_large;

  -- The queue ----------------------------------------------------------------------------------------------------

  FUNCTION enqueue(
    p_queue       IN VARCHAR2,
    p_correlation IN VARCHAR2,
    p_wait_us     IN NUMBER,
    p_payload     IN RAW) RETURN RAW
  IS
    l_options    DBMS_AQ.ENQUEUE_OPTIONS_T;
    l_properties DBMS_AQ.MESSAGE_PROPERTIES_T;
    l_payload    t_bytes := p_payload;
    l_message_id t_id;
  BEGIN
    l_options.visibility := DBMS_AQ.ON_COMMIT;
    l_properties.correlation := p_correlation;
    l_properties.expiration := DBMS_AQ.NEVER;
    IF p_wait_us > 0 THEN
      l_properties.delay := LEAST(CEIL(p_wait_us / k_microseconds), k_longest_delay);
    ELSE
      l_properties.delay := DBMS_AQ.NO_DELAY;
    END IF;
    DBMS_AQ.ENQUEUE(
      queue_name         => p_queue,
      enqueue_options    => l_options,
      message_properties => l_properties,
      payload            => l_payload,
      msgid              => l_message_id);
    RETURN l_message_id;
  END enqueue;

  -- Takes the message with this id, whether its delay has passed or not; without an id the first one that is ready.
  FUNCTION dequeue(
    p_queue       IN  VARCHAR2,
    p_message_id  IN  RAW,
    p_mode        IN  BINARY_INTEGER,
    p_seconds     IN  BINARY_INTEGER,
    p_correlation OUT VARCHAR2,
    p_payload     OUT RAW) RETURN BOOLEAN
  IS
    l_options    DBMS_AQ.DEQUEUE_OPTIONS_T;
    l_properties DBMS_AQ.MESSAGE_PROPERTIES_T;
    l_payload    t_bytes;
    l_message_id t_id;
  BEGIN
    l_options.dequeue_mode := p_mode;
    l_options.navigation := DBMS_AQ.FIRST_MESSAGE;
    l_options.visibility := DBMS_AQ.ON_COMMIT;
    l_options.wait := p_seconds;
    l_options.msgid := p_message_id;
    DBMS_AQ.DEQUEUE(
      queue_name         => p_queue,
      dequeue_options    => l_options,
      message_properties => l_properties,
      payload            => l_payload,
      msgid              => l_message_id);
    p_correlation := l_properties.correlation;
    p_payload := l_payload;
    RETURN TRUE;
  EXCEPTION
    WHEN e_no_message OR e_no_such_message THEN
      RETURN FALSE;
  END dequeue;

  -- The same from the exception queue when AQ has moved the message there, after more rollbacks than max_retries.
  FUNCTION take_by_id(p_queue IN VARCHAR2, p_message_id IN RAW, p_mode IN BINARY_INTEGER, p_payload OUT RAW) RETURN BOOLEAN IS
    l_correlation VARCHAR2(128);
  BEGIN
    RETURN dequeue(p_queue, p_message_id, p_mode, DBMS_AQ.NO_WAIT, l_correlation, p_payload)
      OR dequeue(k_exception_queue, p_message_id, p_mode, DBMS_AQ.NO_WAIT, l_correlation, p_payload);
  END take_by_id;

  PROCEDURE discard(p_message_id IN RAW) IS
    l_payload t_bytes;
    l_found   BOOLEAN;
  BEGIN
    l_found := take_by_id(k_signal_queue, p_message_id, DBMS_AQ.REMOVE_NODATA, l_payload);
  END discard;

  -- What a batch is made of --------------------------------------------------------------------------------------

  PROCEDURE insert_instance(p_item IN JSON_OBJECT_T, p_content IN RAW, p_now IN NUMBER) IS
    l_id         t_id := id_of(p_item, 'id');
    l_parent_id  t_id := id_of(p_item, 'parent');
    l_key        RAW(800) := id_of(p_item, 'key');
    l_definition RAW(800) := id_of(p_item, 'definition');
    l_release    NUMBER := p_item.get_Number('definitionVersion');
    l_version    NUMBER := p_item.get_Number('version');
    l_status     NUMBER := p_item.get_Number('status');
    l_waits      NUMBER := p_item.get_Number('waits');
    l_content    BLOB := to_lob(p_content);
  BEGIN
    INSERT INTO {wf}_instance (
      instance_id, parent_id, business_key, definition, definition_version, version, status, waits, created_us, updated_us,
      content)
    VALUES (
      l_id, l_parent_id, l_key, l_definition, l_release, l_version, l_status, l_waits, p_now, p_now,
      l_content);
  END insert_instance;

  -- k_refused, with the owner of the business key, when it is taken. A key that another session has inserted and not
  -- yet committed is waited for: callers bring their keys in one order.
  FUNCTION start_instance(
    p_item             IN  JSON_OBJECT_T,
    p_content          IN  RAW,
    p_now              IN  NUMBER,
    p_owner_id         OUT RAW,
    p_owner_definition OUT RAW) RETURN PLS_INTEGER
  IS
    l_id    t_id := id_of(p_item, 'id');
    l_key   RAW(800) := id_of(p_item, 'key');
    l_known PLS_INTEGER;
  BEGIN
    LOOP
      BEGIN
        insert_instance(p_item, p_content, p_now);
        RETURN k_accepted;
      EXCEPTION
        WHEN DUP_VAL_ON_INDEX THEN
          IF l_key IS NULL THEN
            RAISE;
          END IF;
      END;
      BEGIN
        SELECT instance_id, definition
          INTO p_owner_id, p_owner_definition
          FROM {wf}_instance
         WHERE business_key = l_key;
        RETURN k_refused;
      EXCEPTION
        WHEN NO_DATA_FOUND THEN
          -- Nobody has the key: either the id is known, or the owner was purged a moment ago and the key is free again.
          SELECT COUNT(*) INTO l_known FROM {wf}_instance WHERE instance_id = l_id;
          IF l_known > 0 THEN
            RAISE DUP_VAL_ON_INDEX;
          END IF;
      END;
    END LOOP;
  END start_instance;

  -- A starter that was refused because of its business key has no children either.
  FUNCTION start_child(p_item IN JSON_OBJECT_T, p_content IN RAW, p_now IN NUMBER) RETURN PLS_INTEGER IS
    l_starter_id t_id := id_of(p_item, 'starter');
    l_starters   PLS_INTEGER;
  BEGIN
    SELECT COUNT(*) INTO l_starters FROM {wf}_instance WHERE instance_id = l_starter_id;
    IF l_starters = 0 THEN
      RETURN k_refused;
    END IF;
    insert_instance(p_item, p_content, p_now);
    RETURN k_accepted;
  END start_child;

  FUNCTION update_instance(p_item IN JSON_OBJECT_T, p_content IN RAW, p_now IN NUMBER) RETURN BOOLEAN IS
    l_id       t_id := id_of(p_item, 'id');
    l_expected NUMBER := p_item.get_Number('expected');
    l_release  NUMBER := p_item.get_Number('definitionVersion');
    l_version  NUMBER := p_item.get_Number('version');
    l_status   NUMBER := p_item.get_Number('status');
    l_waits    NUMBER := p_item.get_Number('waits');
    l_content  BLOB := to_lob(p_content);
  BEGIN
    UPDATE {wf}_instance
       SET definition_version = l_release, version = l_version, status = l_status, waits = l_waits, updated_us = p_now,
           content = l_content
     WHERE instance_id = l_id
       AND version = l_expected;
    RETURN SQL%ROWCOUNT = 1;
  END update_instance;

  PROCEDURE put_signal(
    p_instance_id IN RAW,
    p_signal_id   IN RAW,
    p_due         IN NUMBER,
    p_now         IN NUMBER,
    p_kind        IN NUMBER,
    p_attempt     IN NUMBER,
    p_content     IN RAW,
    p_large_bytes IN NUMBER)
  IS
    l_message_id t_id;
    l_payload    t_bytes := p_content;
    l_bytes      NUMBER := NVL(p_large_bytes, length_of(p_content));
  BEGIN
    -- Not NVL: PL/SQL has none for RAW, and its way through VARCHAR2 doubles the length.
    IF l_payload IS NULL THEN
      l_payload := elsewhere;
    END IF;
    l_message_id := enqueue(k_signal_queue, RAWTOHEX(p_instance_id), p_due - p_now, l_payload);
    INSERT INTO {wf}_signal (instance_id, signal_id, due_us, kind, attempt, message_id, content_bytes)
    VALUES (p_instance_id, p_signal_id, p_due, p_kind, p_attempt, l_message_id, l_bytes);
    IF p_large_bytes IS NOT NULL THEN
      INSERT INTO {wf}_large (instance_id, signal_id, content)
      VALUES (p_instance_id, p_signal_id, EMPTY_BLOB());
    END IF;
  END put_signal;

  PROCEDURE put_signal_of(p_item IN JSON_OBJECT_T, p_instance_id IN RAW, p_content IN RAW, p_now IN NUMBER) IS
  BEGIN
    put_signal(
      p_instance_id => p_instance_id,
      p_signal_id   => id_of(p_item, 'id'),
      p_due         => due_of(p_item, p_now),
      p_now         => p_now,
      p_kind        => p_item.get_Number('kind'),
      p_attempt     => p_item.get_Number('attempt'),
      p_content     => p_content,
      p_large_bytes => p_item.get_Number('large'));
  END put_signal_of;

  -- The engine's own signals reach closed instances too, but never a place where no instance is seen. What is committed
  -- after the instance was purged is dropped by the claim that finds it due, or by the next purge.
  FUNCTION send_signal(p_item IN JSON_OBJECT_T, p_content IN RAW, p_now IN NUMBER) RETURN PLS_INTEGER IS
    l_instance_id t_id := id_of(p_item, 'instance');
    l_receivers   PLS_INTEGER;
  BEGIN
    SELECT COUNT(*) INTO l_receivers FROM {wf}_instance WHERE instance_id = l_instance_id;
    IF l_receivers = 0 THEN
      RETURN k_unknown;
    END IF;
    put_signal_of(p_item, l_instance_id, p_content, p_now);
    RETURN k_accepted;
  END send_signal;

  -- A signal from outside. p_instance_id: the receiver, whether the item names it by id or by business key.
  FUNCTION publish_signal(
    p_item        IN  JSON_OBJECT_T,
    p_content     IN  RAW,
    p_now         IN  NUMBER,
    p_instance_id OUT RAW) RETURN PLS_INTEGER
  IS
    l_instance_id t_id := id_of(p_item, 'instance');
    l_key         RAW(800) := id_of(p_item, 'key');
    l_dedup_key   RAW(800) := id_of(p_item, 'dedup');
    l_status      NUMBER;
    l_accepted    PLS_INTEGER;
  BEGIN
    BEGIN
      IF l_key IS NULL THEN
        SELECT status INTO l_status FROM {wf}_instance WHERE instance_id = l_instance_id;
      ELSE
        SELECT instance_id, status INTO l_instance_id, l_status FROM {wf}_instance WHERE business_key = l_key;
      END IF;
    EXCEPTION
      WHEN NO_DATA_FOUND THEN
        RETURN k_unknown;
    END;
    IF l_status >= k_closed THEN
      -- The signal that is repeated may itself have closed the instance.
      SELECT COUNT(*)
        INTO l_accepted
        FROM {wf}_signal_key
       WHERE instance_id = l_instance_id
         AND dedup_key = l_dedup_key;
      RETURN CASE l_accepted WHEN 0 THEN k_instance_closed ELSE k_duplicate END;
    END IF;
    IF l_dedup_key IS NOT NULL THEN
      BEGIN
        INSERT INTO {wf}_signal_key (instance_id, dedup_key) VALUES (l_instance_id, l_dedup_key);
      EXCEPTION
        WHEN DUP_VAL_ON_INDEX THEN
          RETURN k_duplicate;
      END;
    END IF;
    put_signal_of(p_item, l_instance_id, p_content, p_now);
    p_instance_id := l_instance_id;
    RETURN k_accepted;
  END publish_signal;

  -- Gives a continuation the dedup keys that its predecessor has accepted. A pair may come again.
  PROCEDURE copy_keys(p_item IN JSON_OBJECT_T) IS
    l_from_id t_id := id_of(p_item, 'from');
    l_to_id   t_id := id_of(p_item, 'instance');
  BEGIN
    INSERT INTO {wf}_signal_key (instance_id, dedup_key)
    SELECT l_to_id, k.dedup_key
      FROM {wf}_signal_key k
     WHERE k.instance_id = l_from_id
       AND EXISTS (SELECT 1 FROM {wf}_instance i WHERE i.instance_id = l_to_id)
       AND NOT EXISTS (SELECT 1 FROM {wf}_signal_key o WHERE o.instance_id = l_to_id AND o.dedup_key = k.dedup_key)
     ORDER BY k.dedup_key;
  END copy_keys;

  -- All that belongs to an instance, its row apart; returns how much it was.
  FUNCTION delete_belongings(p_instance_id IN RAW) RETURN PLS_INTEGER IS
    l_rows PLS_INTEGER := 0;
  BEGIN
    FOR s IN (SELECT message_id FROM {wf}_signal WHERE instance_id = p_instance_id) LOOP
      discard(s.message_id);
      l_rows := l_rows + 1;
    END LOOP;
    DELETE FROM {wf}_signal WHERE instance_id = p_instance_id;
    DELETE FROM {wf}_large WHERE instance_id = p_instance_id;
    DELETE FROM {wf}_signal_key WHERE instance_id = p_instance_id;
    l_rows := l_rows + SQL%ROWCOUNT;
    DELETE FROM {wf}_dead_letter WHERE instance_id = p_instance_id;
    RETURN l_rows + SQL%ROWCOUNT;
  END delete_belongings;

  PROCEDURE delete_large(p_instance_id IN RAW, p_signal_id IN RAW) IS
  BEGIN
    DELETE FROM {wf}_large WHERE instance_id = p_instance_id AND signal_id = p_signal_id;
  END delete_large;

  -- A timer that was claimed a moment ago, or fires elsewhere, is not there any more: the engine knows it by its id.
  PROCEDURE withdraw_signal(p_item IN JSON_OBJECT_T) IS
    l_instance_id t_id := id_of(p_item, 'instance');
    l_signal_id   t_id := id_of(p_item, 'id');
    l_message_id  t_id;
    l_bytes       NUMBER;
  BEGIN
    DELETE FROM {wf}_signal
     WHERE instance_id = l_instance_id
       AND signal_id = l_signal_id
    RETURNING message_id, content_bytes INTO l_message_id, l_bytes;
    IF SQL%ROWCOUNT = 1 THEN
      discard(l_message_id);
      IF l_bytes > k_inline_bytes THEN
        delete_large(l_instance_id, l_signal_id);
      END IF;
    END IF;
  END withdraw_signal;

  PROCEDURE store_dead_letter(p_item IN JSON_OBJECT_T, p_content IN RAW, p_detail IN RAW, p_now IN NUMBER) IS
    l_signal_id   t_id := id_of(p_item, 'id');
    l_instance_id t_id := id_of(p_item, 'instance');
    l_kind        NUMBER := p_item.get_Number('kind');
    l_attempt     NUMBER := p_item.get_Number('attempt');
    l_reason      NUMBER := p_item.get_Number('reason');
    l_content     BLOB := to_lob(p_content);
    l_detail      BLOB := to_lob(p_detail);
  BEGIN
    INSERT INTO {wf}_dead_letter (signal_id, instance_id, dead_us, kind, attempt, reason, content, detail)
    VALUES (l_signal_id, l_instance_id, p_now, l_kind, l_attempt, l_reason, l_content, l_detail);
  END store_dead_letter;

  -- Due now and with no attempt counted. Letters of closed or unknown instances stay.
  FUNCTION requeue_letter(p_item IN JSON_OBJECT_T, p_now IN NUMBER) RETURN PLS_INTEGER IS
    l_signal_id   t_id := id_of(p_item, 'id');
    l_instance_id t_id;
    l_kind        NUMBER;
    l_bytes       NUMBER;
    l_content     BLOB;
  BEGIN
    BEGIN
      SELECT d.instance_id, d.kind, DBMS_LOB.GETLENGTH(d.content), d.content
        INTO l_instance_id, l_kind, l_bytes, l_content
        FROM {wf}_dead_letter d
       WHERE d.signal_id = l_signal_id
         AND EXISTS (SELECT 1 FROM {wf}_instance i WHERE i.instance_id = d.instance_id AND i.status < k_closed)
         FOR UPDATE OF d.dead_us;
    EXCEPTION
      WHEN NO_DATA_FOUND THEN
        RETURN k_refused;
    END;
    IF l_bytes > k_inline_bytes THEN
      put_signal(l_instance_id, l_signal_id, p_now, p_now, l_kind, 0, NULL, l_bytes);
      UPDATE {wf}_large SET content = l_content WHERE instance_id = l_instance_id AND signal_id = l_signal_id;
    ELSE
      put_signal(l_instance_id, l_signal_id, p_now, p_now, l_kind, 0, DBMS_LOB.SUBSTR(l_content, k_inline_bytes, 1), NULL);
    END IF;
    DELETE FROM {wf}_dead_letter WHERE signal_id = l_signal_id;
    RETURN k_accepted;
  END requeue_letter;

  -- Moves the due time of a lease that still runs and has the newest fencing token. The message keeps its delay and
  -- may become READY in the queue before the lease ends: nobody takes it before the row says so.
  FUNCTION extend_lease(p_item IN JSON_OBJECT_T, p_now IN NUMBER) RETURN PLS_INTEGER IS
    l_instance_id t_id := id_of(p_item, 'instance');
    l_signal_id   t_id := id_of(p_item, 'id');
    l_attempt     NUMBER := p_item.get_Number('attempt');
    l_due         NUMBER := due_of(p_item, p_now);
  BEGIN
    UPDATE {wf}_signal
       SET due_us = l_due
     WHERE instance_id = l_instance_id
       AND signal_id = l_signal_id
       AND attempt = l_attempt
       AND kind = k_activity
       AND due_us > p_now;
    RETURN CASE SQL%ROWCOUNT WHEN 1 THEN k_accepted ELSE k_refused END;
  END extend_lease;

  -- A message that is due goes to the queue that receivers take the first message of. One that is not goes to another,
  -- and is taken by its id when its row says so, to the microsecond.
  PROCEDURE send_message(p_item IN JSON_OBJECT_T, p_content IN RAW, p_now IN NUMBER) IS
    l_due        NUMBER := due_of(p_item, p_now);
    l_name       VARCHAR2(128) := p_item.get_String('id') || ':' || TO_CHAR(l_due);
    l_message_id t_id;
  BEGIN
    IF l_due <= p_now THEN
      l_message_id := enqueue(k_message_queue, l_name, 0, p_content);
    ELSE
      l_message_id := enqueue(k_later_queue, l_name, l_due - p_now, p_content);
      INSERT INTO {wf}_later (message_id, due_us, name) VALUES (l_message_id, l_due, l_name);
    END IF;
  END send_message;

  PROCEDURE write_batch(
    p_items    IN  RAW,
    p_contents IN  RAW,
    p_since    IN  NUMBER,
    p_now_us   OUT NUMBER,
    p_conflict OUT NUMBER,
    p_results  OUT RAW)
  IS
    l_now              NUMBER := NVL(p_since, now_us);
    l_items            JSON_ARRAY_T := JSON_ARRAY_T.parse(UTL_RAW.CAST_TO_VARCHAR2(p_items));
    l_item             JSON_OBJECT_T;
    l_results          t_text;
    l_offset           PLS_INTEGER := 1;
    l_outcome          PLS_INTEGER;
    l_content          t_bytes;
    l_detail           t_bytes;
    l_instance_id      t_id;
    l_owner_definition RAW(800);

    FUNCTION next_content(p_name IN VARCHAR2) RETURN RAW IS
      l_length PLS_INTEGER := NVL(l_item.get_Number(p_name), 0);
      l_bytes  t_bytes;
    BEGIN
      IF l_length > 0 THEN
        l_bytes := UTL_RAW.SUBSTR(p_contents, l_offset, l_length);
        l_offset := l_offset + l_length;
      END IF;
      RETURN l_bytes;
    END next_content;

    PROCEDURE tell(p_place IN PLS_INTEGER, p_more IN VARCHAR2) IS
    BEGIN
      IF l_results IS NOT NULL THEN
        l_results := l_results || ',';
      END IF;
      l_results := l_results || '{"n":' || TO_CHAR(p_place) || ',"outcome":' || TO_CHAR(l_outcome) || p_more || '}';
    END tell;

    PROCEDURE tell_refusal(p_place IN PLS_INTEGER) IS
    BEGIN
      IF l_outcome <> k_accepted THEN
        tell(p_place, NULL);
      END IF;
    END tell_refusal;
  BEGIN
    p_now_us := l_now;
    p_conflict := 0;
    FOR i IN 0 .. l_items.get_size - 1 LOOP
      l_item := TREAT(l_items.get(i) AS JSON_OBJECT_T);
      l_content := next_content('content');
      l_detail := next_content('detail');
      l_outcome := k_accepted;
      CASE l_item.get_String('op')
        WHEN 'start' THEN
          l_outcome := start_instance(l_item, l_content, l_now, l_instance_id, l_owner_definition);
          IF l_outcome <> k_accepted THEN
            tell(i, ',"id":"' || RAWTOHEX(l_instance_id) || '","definition":"' || RAWTOHEX(l_owner_definition) || '"');
          END IF;
        WHEN 'child' THEN
          l_outcome := start_child(l_item, l_content, l_now);
          tell_refusal(i);
        WHEN 'copy' THEN
          copy_keys(l_item);
        WHEN 'update' THEN
          IF NOT update_instance(l_item, l_content, l_now) THEN
            p_conflict := 1;
            EXIT;
          END IF;
        WHEN 'send' THEN
          l_outcome := send_signal(l_item, l_content, l_now);
          tell_refusal(i);
        WHEN 'publish' THEN
          l_outcome := publish_signal(l_item, l_content, l_now, l_instance_id);
          IF l_outcome <> k_accepted THEN
            tell(i, NULL);
          ELSIF is_large(l_item) THEN
            tell(i, ',"id":"' || RAWTOHEX(l_instance_id) || '"');
          END IF;
        WHEN 'withdraw' THEN
          withdraw_signal(l_item);
        WHEN 'forget' THEN
          delete_large(id_of(l_item, 'instance'), id_of(l_item, 'id'));
        WHEN 'dead' THEN
          store_dead_letter(l_item, l_content, l_detail, l_now);
        WHEN 'requeue' THEN
          l_outcome := requeue_letter(l_item, l_now);
          tell_refusal(i);
        WHEN 'extend' THEN
          l_outcome := extend_lease(l_item, l_now);
          tell_refusal(i);
        WHEN 'message' THEN
          send_message(l_item, l_content, l_now);
        ELSE
          RAISE_APPLICATION_ERROR(-20001, 'Item ' || TO_CHAR(i) || ' has no op that package {wf} knows.');
      END CASE;
    END LOOP;
    p_results := UTL_RAW.CAST_TO_RAW('[' || l_results || ']');
  END write_batch;

  PROCEDURE append_content(
    p_target      IN VARCHAR2,
    p_instance_id IN RAW,
    p_signal_id   IN RAW,
    p_chunk       IN RAW)
  IS
    l_content BLOB;
  BEGIN
    CASE p_target
      WHEN 'instance' THEN
        SELECT content INTO l_content FROM {wf}_instance WHERE instance_id = p_instance_id FOR UPDATE;
      WHEN 'signal' THEN
        SELECT content
          INTO l_content
          FROM {wf}_large
         WHERE instance_id = p_instance_id
           AND signal_id = p_signal_id
           FOR UPDATE;
      WHEN 'letter' THEN
        SELECT content INTO l_content FROM {wf}_dead_letter WHERE signal_id = p_signal_id FOR UPDATE;
      ELSE
        RAISE_APPLICATION_ERROR(-20001, 'Package {wf} does not know the target ''' || p_target || '''.');
    END CASE;
    DBMS_LOB.WRITEAPPEND(lob_loc => l_content, amount => UTL_RAW.LENGTH(p_chunk), buffer => p_chunk);
  END append_content;

  -- Claims -------------------------------------------------------------------------------------------------------

  PROCEDURE claim_batch(
    p_max       IN  NUMBER,
    p_bytes     IN  NUMBER,
    p_skip      IN  NUMBER,
    p_one       IN  NUMBER,
    p_now_us    OUT NUMBER,
    p_next_us   OUT NUMBER,
    p_missing   OUT NUMBER,
    p_instances OUT RAW,
    p_contents  OUT RAW)
  IS
    l_now      NUMBER := now_us;
    l_seen     t_seen;
    l_json     t_text;
    l_contents t_bytes;
    l_used     PLS_INTEGER := 0;
    l_bytes    NUMBER := 0;
    l_claimed  PLS_INTEGER := 0;
    l_missing  PLS_INTEGER := 0;
    l_full     BOOLEAN := FALSE;
    l_more     BOOLEAN := FALSE;
    l_next     NUMBER;

    PROCEDURE add_content(p_content IN RAW) IS
    BEGIN
      IF p_content IS NOT NULL THEN
        l_contents := UTL_RAW.CONCAT(l_contents, p_content);
        l_used := l_used + UTL_RAW.LENGTH(p_content);
      END IF;
    END add_content;

    FUNCTION quoted(p_name IN VARCHAR2, p_value IN RAW) RETURN VARCHAR2 IS
    BEGIN
      RETURN CASE WHEN p_value IS NOT NULL THEN ',"' || p_name || '":"' || RAWTOHEX(p_value) || '"' END;
    END quoted;

    FUNCTION number_of(p_name IN VARCHAR2, p_value IN NUMBER) RETURN VARCHAR2 IS
    BEGIN
      RETURN ',"' || p_name || '":' || TO_CHAR(p_value);
    END number_of;

    -- The due signals of an instance that the caller's transaction holds now. A row that is locked is being extended,
    -- and not due any more.
    FUNCTION take_signals(p_instance_id IN RAW) RETURN VARCHAR2 IS
      l_signals t_text;
      l_payload t_bytes;
    BEGIN
      FOR s IN (
        SELECT signal_id, due_us, kind, attempt, message_id, content_bytes
          FROM {wf}_signal
         WHERE instance_id = p_instance_id
           AND due_us <= l_now
           AND (p_skip = 0 OR kind <> k_activity)
         ORDER BY due_us, signal_id
           FOR UPDATE SKIP LOCKED)
      LOOP
        l_full := l_claimed >= p_max
          OR (l_claimed > 0 AND l_bytes >= p_bytes)
          OR NVL(LENGTH(l_json), 0) + NVL(LENGTH(l_signals), 0) > k_document_length
          OR (s.content_bytes <= k_inline_bytes AND l_used + s.content_bytes > k_batch_bytes);
        EXIT WHEN l_full;

        -- A lease that was extended after the query began may come with the due time that it had before.
        DELETE FROM {wf}_signal WHERE instance_id = p_instance_id AND signal_id = s.signal_id AND due_us <= l_now;
        CONTINUE WHEN SQL%ROWCOUNT = 0;

        -- What the queue does not hand out now stays, and what is behind it must not overtake it.
        IF NOT take_by_id(k_signal_queue, s.message_id, DBMS_AQ.REMOVE, l_payload) THEN
          INSERT INTO {wf}_signal (instance_id, signal_id, due_us, kind, attempt, message_id, content_bytes)
          VALUES (p_instance_id, s.signal_id, s.due_us, s.kind, s.attempt, s.message_id, s.content_bytes);
          l_missing := l_missing + 1;
          EXIT;
        END IF;
        l_claimed := l_claimed + 1;
        l_bytes := l_bytes + s.content_bytes;
        l_signals := l_signals || CASE WHEN l_signals IS NOT NULL THEN ',' END
          || '{"id":"' || RAWTOHEX(s.signal_id) || '"'
          || number_of('due', s.due_us) || number_of('kind', s.kind) || number_of('attempt', s.attempt);
        IF s.content_bytes > k_inline_bytes THEN
          l_signals := l_signals || ',"large":1}';
        ELSE
          l_signals := l_signals || number_of('content', s.content_bytes) || '}';
          add_content(l_payload);
        END IF;
      END LOOP;
      RETURN l_signals;
    END take_signals;

    PROCEDURE claim_instance(p_instance_id IN RAW) IS
      l_parent_id   t_id;
      l_key         RAW(800);
      l_version     NUMBER;
      l_status      NUMBER;
      l_waits       NUMBER;
      l_created_us  NUMBER;
      l_updated_us  NUMBER;
      l_length      NUMBER;
      l_rows        PLS_INTEGER;
      l_lob         BLOB;
      l_instance    t_text;
      l_signals     t_text;
      l_before      t_bytes := l_contents;
      l_used_before PLS_INTEGER := l_used;
    BEGIN
      BEGIN
        SELECT parent_id, business_key, version, status, waits, created_us, updated_us, DBMS_LOB.GETLENGTH(content), content
          INTO l_parent_id, l_key, l_version, l_status, l_waits, l_created_us, l_updated_us, l_length, l_lob
          FROM {wf}_instance
         WHERE instance_id = p_instance_id
           FOR UPDATE SKIP LOCKED;
      EXCEPTION
        WHEN NO_DATA_FOUND THEN
          -- Another worker holds it and takes all its signals, or it was purged while they were being sent.
          SELECT COUNT(*) INTO l_rows FROM {wf}_instance WHERE instance_id = p_instance_id;
          IF l_rows = 0 THEN
            l_rows := delete_belongings(p_instance_id);
          END IF;
          RETURN;
      END;

      IF l_length <= k_inline_bytes AND l_used + l_length > k_batch_bytes THEN
        l_full := TRUE;
        RETURN;
      END IF;
      l_instance := '{"id":"' || RAWTOHEX(p_instance_id) || '"' || quoted('parent', l_parent_id) || quoted('key', l_key)
        || number_of('version', l_version) || number_of('status', l_status) || number_of('waits', l_waits)
        || number_of('created', l_created_us) || number_of('updated', l_updated_us);
      IF l_length > k_inline_bytes THEN
        l_instance := l_instance || ',"large":1';
      ELSE
        l_instance := l_instance || number_of('content', l_length);
        add_content(DBMS_LOB.SUBSTR(l_lob, k_inline_bytes, 1));
      END IF;

      l_signals := take_signals(p_instance_id);
      IF l_signals IS NULL THEN
        l_contents := l_before;
        l_used := l_used_before;
      ELSE
        l_bytes := l_bytes + l_length;
        l_json := l_json || CASE WHEN l_json IS NOT NULL THEN ',' END || l_instance || ',"signals":[' || l_signals || ']}';
      END IF;
    END claim_instance;

    FUNCTION is_seen(p_instance_id IN RAW) RETURN BOOLEAN IS
    BEGIN
      RETURN l_seen.EXISTS(RAWTOHEX(p_instance_id));
    END is_seen;

    PROCEDURE look_at(p_instance_id IN RAW) IS
    BEGIN
      IF NOT is_seen(p_instance_id) THEN
        l_seen(RAWTOHEX(p_instance_id)) := TRUE;
        claim_instance(p_instance_id);
      END IF;
    END look_at;

    -- One instance was asked for and is claimed, and this is another.
    FUNCTION leaves(p_instance_id IN RAW) RETURN BOOLEAN IS
    BEGIN
      RETURN p_one = 1 AND l_claimed > 0 AND NOT is_seen(p_instance_id);
    END leaves;

    FUNCTION is_full RETURN BOOLEAN IS
    BEGIN
      RETURN l_full OR l_claimed >= p_max OR (l_claimed > 0 AND l_bytes >= p_bytes);
    END is_full;
  BEGIN
    -- Index {wf}_signal_due has all columns in the order that is asked for: the loop reads as far as it needs. The kind
    -- is not among them, so a loop that asks for it goes to the table for each row.
    IF p_skip = 0 THEN
      FOR d IN (
        SELECT /*+ INDEX_ASC(s {wf}_signal_due) */ s.instance_id
          FROM {wf}_signal s
         WHERE s.due_us <= l_now
         ORDER BY s.due_us, s.signal_id)
      LOOP
        l_more := leaves(d.instance_id);
        EXIT WHEN is_full OR l_more;
        look_at(d.instance_id);
      END LOOP;
    ELSE
      FOR d IN (
        SELECT /*+ INDEX_ASC(s {wf}_signal_due) */ s.instance_id
          FROM {wf}_signal s
         WHERE s.due_us <= l_now
           AND s.kind <> k_activity
         ORDER BY s.due_us, s.signal_id)
      LOOP
        l_more := leaves(d.instance_id);
        EXIT WHEN is_full OR l_more;
        look_at(d.instance_id);
      END LOOP;
    END IF;

    p_now_us := l_now;
    p_missing := l_missing;
    p_instances := UTL_RAW.CAST_TO_RAW('[' || l_json || ']');
    p_contents := l_contents;
    p_next_us := -1;
    IF l_claimed = 0 THEN
      -- From the time of the look on: what has become due since was missed by it, and must not be missed here too.
      SELECT MIN(due_us) INTO l_next FROM {wf}_signal WHERE due_us > l_now;
      IF l_next IS NOT NULL THEN
        p_next_us := GREATEST(l_next - now_us, 0);
      END IF;
    ELSIF l_more OR (l_claimed < p_max AND is_full) THEN
      -- There was no room for what is due as well.
      p_next_us := 0;
    END IF;
  END claim_batch;

  PROCEDURE receive_batch(
    p_max      IN  NUMBER,
    p_seconds  IN  NUMBER,
    p_now_us   OUT NUMBER,
    p_next_us  OUT NUMBER,
    p_waited   OUT NUMBER,
    p_messages OUT RAW,
    p_contents OUT RAW)
  IS
    l_now         NUMBER := now_us;
    l_json        t_text;
    l_contents    t_bytes;
    l_received    PLS_INTEGER := 0;
    l_correlation VARCHAR2(128);
    l_payload     t_bytes;
    l_next        NUMBER;
    l_wait        NUMBER := 0;

    FUNCTION has_room RETURN BOOLEAN IS
    BEGIN
      RETURN l_received < p_max
        AND NVL(LENGTH(l_json), 0) <= k_document_length
        AND length_of(l_contents) + k_message_bytes <= k_batch_bytes;
    END has_room;

    -- p_name: the id in hexadecimal, a colon, the due time.
    PROCEDURE add_message(p_name IN VARCHAR2, p_payload IN RAW) IS
    BEGIN
      l_received := l_received + 1;
      l_json := l_json || CASE WHEN l_json IS NOT NULL THEN ',' END
        || '{"id":"' || SUBSTR(p_name, 1, 32) || '","due":' || SUBSTR(p_name, 34)
        || ',"content":' || TO_CHAR(length_of(p_payload)) || '}';
      l_contents := UTL_RAW.CONCAT(l_contents, p_payload);
    END add_message;

    PROCEDURE take_later(p_message_id IN RAW) IS
      l_name VARCHAR2(128);
    BEGIN
      BEGIN
        SELECT name INTO l_name FROM {wf}_later WHERE message_id = p_message_id FOR UPDATE SKIP LOCKED;
      EXCEPTION
        WHEN NO_DATA_FOUND THEN
          -- Another receiver has it.
          RETURN;
      END;
      IF take_by_id(k_later_queue, p_message_id, DBMS_AQ.REMOVE, l_payload) THEN
        DELETE FROM {wf}_later WHERE message_id = p_message_id;
        add_message(l_name, l_payload);
      END IF;
    END take_later;
  BEGIN
    FOR d IN (
      SELECT /*+ INDEX_ASC(m {wf}_later_due) */ m.message_id
        FROM {wf}_later m
       WHERE m.due_us <= l_now
       ORDER BY m.due_us, m.message_id)
    LOOP
      EXIT WHEN NOT has_room;
      take_later(d.message_id);
    END LOOP;

    -- A dequeue that waits is woken by messages of its own queue only, and AQ waits in whole seconds: for the rest of the last one
    -- before a delayed message is due, the caller waits by itself.
    IF p_seconds > 0 AND l_received = 0 THEN
      SELECT MIN(due_us) INTO l_next FROM {wf}_later WHERE due_us > l_now;
      l_wait := p_seconds;
      IF l_next IS NOT NULL THEN
        l_wait := GREATEST(LEAST(FLOOR((l_next - now_us) / k_microseconds), p_seconds), 0);
      END IF;
    END IF;
    p_waited := l_wait;
    WHILE has_room LOOP
      EXIT WHEN NOT dequeue(k_message_queue, NULL, DBMS_AQ.REMOVE, l_wait, l_correlation, l_payload);
      add_message(l_correlation, l_payload);
      l_wait := 0;
    END LOOP;

    p_now_us := now_us;
    p_messages := UTL_RAW.CAST_TO_RAW('[' || l_json || ']');
    p_contents := l_contents;
    p_next_us := -1;
    IF l_received = 0 THEN
      SELECT MIN(due_us) INTO l_next FROM {wf}_later WHERE due_us > l_now;
      IF l_next IS NOT NULL THEN
        p_next_us := GREATEST(l_next - now_us, 0);
      END IF;
    ELSIF l_received < p_max AND NOT has_room THEN
      -- The reply is full, and there may be more that is due.
      p_next_us := 0;
    END IF;
  END receive_batch;

  -- Housekeeping and hints ---------------------------------------------------------------------------------------

  PROCEDURE purge_closed(
    p_age_us IN  NUMBER,
    p_batch  IN  NUMBER,
    p_purged OUT NUMBER)
  IS
    l_limit  NUMBER := now_us - p_age_us;
    l_held   PLS_INTEGER;
    l_purged PLS_INTEGER := 0;
    l_rows   PLS_INTEGER := 0;
  BEGIN
    -- The expression is that of the index {wf}_instance_closed to the letter: a constant of the package would be a bind, and the
    -- index would not be seen to fit. The oldest come first, for the index has them so.
    FOR i IN (
      SELECT /*+ INDEX_ASC(c {wf}_instance_closed) */ c.instance_id,
             CASE WHEN BITAND(c.waits, 32) <> 0 THEN JSON_VALUE(c.content FORMAT JSON, '$.progress.continuedFrom') END AS predecessor
        FROM {wf}_instance c
       WHERE CASE WHEN c.status >= 2 THEN c.updated_us END < l_limit
         AND NOT EXISTS (SELECT 1 FROM {wf}_instance p WHERE p.instance_id = c.parent_id AND p.status < k_closed)
         -- Signals to one that was continued, which has 32 in waits, go on to the continuation when they are due.
         AND NOT (BITAND(c.waits, 32) <> 0 AND EXISTS (SELECT 1 FROM {wf}_signal s WHERE s.instance_id = c.instance_id))
         FOR UPDATE SKIP LOCKED)
    LOOP
      -- What is stored for its predecessor goes on through it. By one snapshot: such a signal moves from one to the other.
      IF i.predecessor IS NOT NULL THEN
        SELECT COUNT(*)
          INTO l_held
          FROM DUAL
         WHERE EXISTS (SELECT 1 FROM {wf}_instance p WHERE p.instance_id = HEXTORAW(REPLACE(i.predecessor, '-', '')))
            OR EXISTS (SELECT 1 FROM {wf}_signal s WHERE s.instance_id = i.instance_id);
        CONTINUE WHEN l_held > 0;
      END IF;
      l_rows := l_rows + delete_belongings(i.instance_id);
      DELETE FROM {wf}_instance WHERE instance_id = i.instance_id;
      l_purged := l_purged + 1;
      EXIT WHEN l_purged + l_rows / k_instance_rows >= p_batch;
    END LOOP;
    p_purged := l_purged;
  END purge_closed;

  -- Nobody who writes locks an instance for the sake of a purge. A new instance is visible before what belongs to it, or at
  -- the same moment, so nothing of it can be taken for an orphan.
  PROCEDURE purge_orphans(
    p_batch  IN  NUMBER,
    p_purged OUT NUMBER)
  IS
    l_purged PLS_INTEGER := 0;
    l_rows   PLS_INTEGER := 0;
  BEGIN
    FOR o IN (
      SELECT b.instance_id
        FROM (
          SELECT instance_id FROM {wf}_signal
          UNION
          SELECT instance_id FROM {wf}_signal_key
          UNION
          SELECT instance_id FROM {wf}_dead_letter) b
       WHERE NOT EXISTS (SELECT 1 FROM {wf}_instance i WHERE i.instance_id = b.instance_id)
       ORDER BY b.instance_id)
    LOOP
      l_rows := l_rows + delete_belongings(o.instance_id);
      l_purged := l_purged + 1;
      EXIT WHEN l_purged + l_rows / k_instance_rows >= p_batch;
    END LOOP;
    p_purged := l_purged;
  END purge_orphans;

  -- A row that somebody holds is being made into another version: not now.
  PROCEDURE begin_upkeep(
    p_pause_us IN  NUMBER,
    p_begun    OUT NUMBER)
  IS
    l_now NUMBER := now_us;
    l_id  NUMBER;
  BEGIN
    SELECT schema_id
      INTO l_id
      FROM {wf}_schema
     WHERE schema_id = 1
       AND NVL(upkeep_us, 0) <= l_now - p_pause_us
       FOR UPDATE SKIP LOCKED;
    UPDATE {wf}_schema SET upkeep_us = l_now WHERE schema_id = l_id;
    p_begun := 1;
  EXCEPTION
    WHEN NO_DATA_FOUND THEN
      p_begun := 0;
  END begin_upkeep;

  -- A message and its row come and go in one commit, and one statement sees both or neither: what it sees without a row has
  -- none. Those in the exception queue stay: without a row they are messages of the bare queue that were put aside.
  PROCEDURE sweep_messages(
    p_batch IN  NUMBER,
    p_swept OUT NUMBER)
  IS
    l_swept       PLS_INTEGER := 0;
    l_correlation VARCHAR2(128);
    l_payload     t_bytes;
  BEGIN
    FOR m IN (
      SELECT q.q_name, q.msgid
        FROM {wf}_qt q
       WHERE q.q_name = '{wf}_SIGNAL_Q'
         AND NOT EXISTS (SELECT 1 FROM {wf}_signal s WHERE s.message_id = q.msgid)
      UNION ALL
      SELECT q.q_name, q.msgid
        FROM {wf}_qt q
       WHERE q.q_name = '{wf}_LATER_Q'
         AND NOT EXISTS (SELECT 1 FROM {wf}_later l WHERE l.message_id = q.msgid))
    LOOP
      IF dequeue(m.q_name, m.msgid, DBMS_AQ.REMOVE_NODATA, DBMS_AQ.NO_WAIT, l_correlation, l_payload) THEN
        l_swept := l_swept + 1;
      END IF;
      EXIT WHEN l_swept >= p_batch;
    END LOOP;
    p_swept := l_swept;
  END sweep_messages;

  -- Hints are buffered messages: they lie in memory, belong to no transaction and write no redo. A hint that is lost with
  -- the server costs a poll. p_mode: browse or remove. p_condition: on columns of the queue table, whose alias is tab.
  FUNCTION dequeue_hint(
    p_mode        IN BINARY_INTEGER,
    p_correlation IN VARCHAR2,
    p_condition   IN VARCHAR2,
    p_seconds     IN BINARY_INTEGER) RETURN BOOLEAN
  IS
    l_options    DBMS_AQ.DEQUEUE_OPTIONS_T;
    l_properties DBMS_AQ.MESSAGE_PROPERTIES_T;
    l_payload    t_bytes;
    l_message_id t_id;
  BEGIN
    l_options.dequeue_mode := p_mode;
    l_options.navigation := DBMS_AQ.FIRST_MESSAGE;
    l_options.visibility := DBMS_AQ.IMMEDIATE;
    l_options.delivery_mode := DBMS_AQ.BUFFERED;
    l_options.wait := p_seconds;
    l_options.correlation := p_correlation;
    l_options.deq_condition := p_condition;
    DBMS_AQ.DEQUEUE(
      queue_name         => k_hint_queue,
      dequeue_options    => l_options,
      message_properties => l_properties,
      payload            => l_payload,
      msgid              => l_message_id);
    RETURN TRUE;
  EXCEPTION
    WHEN e_no_message THEN
      RETURN FALSE;
  END dequeue_hint;

  -- Two calls at one moment may leave two hints; whoever takes one takes both.
  PROCEDURE notify_work(
    p_sender IN  RAW,
    p_left   OUT NUMBER)
  IS
    l_options    DBMS_AQ.ENQUEUE_OPTIONS_T;
    l_properties DBMS_AQ.MESSAGE_PROPERTIES_T;
    l_payload    t_bytes := elsewhere;
    l_message_id t_id;
  BEGIN
    p_left := 0;
    IF NOT dequeue_hint(DBMS_AQ.BROWSE, RAWTOHEX(p_sender), NULL, DBMS_AQ.NO_WAIT) THEN
      l_options.visibility := DBMS_AQ.IMMEDIATE;
      l_options.delivery_mode := DBMS_AQ.BUFFERED;
      l_properties.correlation := RAWTOHEX(p_sender);
      l_properties.expiration := DBMS_AQ.NEVER;
      DBMS_AQ.ENQUEUE(
        queue_name         => k_hint_queue,
        enqueue_options    => l_options,
        message_properties => l_properties,
        payload            => l_payload,
        msgid              => l_message_id);
      p_left := 1;
    END IF;
  END notify_work;

  PROCEDURE await_work(
    p_sender  IN  RAW,
    p_seconds IN  NUMBER,
    p_found   OUT NUMBER)
  IS
    l_others VARCHAR2(100) := 'tab.corrid <> ''' || RAWTOHEX(p_sender) || '''';
  BEGIN
    p_found := 0;
    IF dequeue_hint(DBMS_AQ.REMOVE, NULL, l_others, p_seconds) THEN
      p_found := 1;
      WHILE dequeue_hint(DBMS_AQ.REMOVE, NULL, l_others, DBMS_AQ.NO_WAIT) LOOP
        p_found := p_found + 1;
      END LOOP;
    END IF;
  END await_work;
END {wf};
