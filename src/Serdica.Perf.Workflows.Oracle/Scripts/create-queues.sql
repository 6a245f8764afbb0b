-- One queue table with the queues of signals, messages and delayed messages, and the exception queue that comes with it.
-- Hints lie in memory and have a queue table of their own, so that nobody who counts messages finds them. Every call
-- commits by itself, so the block takes up whatever an earlier one has left undone.
--
-- A RAW payload is a BLOB column named user_data, and its storage may be named here (PL/SQL Packages and Types Reference,
-- DBMS_AQADM.CREATE_QUEUE_TABLE, storage_clause). Cached as the tables have it, and for the same reason.
--
-- max_retries is far above the attempts that the engine counts: a batch that is rolled back is no fault of its
-- messages. Signals and delayed messages that AQ does move to the exception queue are taken from there by their ids; a
-- message of the bare queue that fails its receiver so often stays there.
DECLARE
  l_found PLS_INTEGER;

  PROCEDURE make_queue_table(p_name IN VARCHAR2, p_comment IN VARCHAR2) IS
  BEGIN
    SELECT COUNT(*) INTO l_found FROM user_queue_tables WHERE queue_table = p_name;
    IF l_found = 0 THEN
      DBMS_AQADM.CREATE_QUEUE_TABLE(
        queue_table        => p_name,
        queue_payload_type => 'RAW',
        storage_clause     => 'LOB (user_data) STORE AS (CACHE)',
        sort_list          => 'ENQ_TIME',
        multiple_consumers => FALSE,
        message_grouping   => DBMS_AQADM.NONE,
        comment            => p_comment);
    END IF;
  END make_queue_table;

  PROCEDURE make_queue(p_name IN VARCHAR2, p_queue_table IN VARCHAR2) IS
  BEGIN
    SELECT COUNT(*) INTO l_found FROM user_queues WHERE name = p_name;
    IF l_found = 0 THEN
      DBMS_AQADM.CREATE_QUEUE(
        queue_name     => p_name,
        queue_table    => p_queue_table,
        queue_type     => DBMS_AQADM.NORMAL_QUEUE,
        max_retries    => 100,
        retry_delay    => 0,
        retention_time => 0);
    END IF;
    DBMS_AQADM.START_QUEUE(queue_name => p_name, enqueue => TRUE, dequeue => TRUE);
  END make_queue;
BEGIN
  make_queue_table('{wf}_QT', 'signals, timers and messages of the workflow engine');
  make_queue('{wf}_SIGNAL_Q', '{wf}_QT');
  make_queue('{wf}_MESSAGE_Q', '{wf}_QT');
  make_queue('{wf}_LATER_Q', '{wf}_QT');
  DBMS_AQADM.START_QUEUE(queue_name => 'AQ$_{wf}_QT_E', enqueue => FALSE, dequeue => TRUE);
  make_queue_table('{wf}_HINT_QT', 'hints of the workflow engine, in memory only');
  make_queue('{wf}_HINT_Q', '{wf}_HINT_QT');
END;
