-- One queue table with the queues of signals, messages, delayed messages and hints, and the exception queue that comes
-- with it. Every call commits by itself, so the block takes up whatever an earlier one has left undone.
--
-- max_retries is far above the attempts that the engine counts: a batch that is rolled back is no fault of its
-- messages. Signals and delayed messages that AQ does move to the exception queue are taken from there by their ids; a
-- message of the bare queue that fails its receiver so often stays there.
DECLARE
  l_found PLS_INTEGER;

  PROCEDURE make_queue(p_name IN VARCHAR2) IS
  BEGIN
    SELECT COUNT(*) INTO l_found FROM user_queues WHERE name = p_name;
    IF l_found = 0 THEN
      DBMS_AQADM.CREATE_QUEUE(
        queue_name     => p_name,
        queue_table    => '{wf}_QT',
        queue_type     => DBMS_AQADM.NORMAL_QUEUE,
        max_retries    => 100,
        retry_delay    => 0,
        retention_time => 0);
    END IF;
    DBMS_AQADM.START_QUEUE(queue_name => p_name, enqueue => TRUE, dequeue => TRUE);
  END make_queue;
BEGIN
  SELECT COUNT(*) INTO l_found FROM user_queue_tables WHERE queue_table = '{wf}_QT';
  IF l_found = 0 THEN
    DBMS_AQADM.CREATE_QUEUE_TABLE(
      queue_table        => '{wf}_QT',
      queue_payload_type => 'RAW',
      sort_list          => 'ENQ_TIME',
      multiple_consumers => FALSE,
      message_grouping   => DBMS_AQADM.NONE,
      comment            => 'signals, timers and messages of the workflow engine');
  END IF;
  make_queue('{wf}_SIGNAL_Q');
  make_queue('{wf}_MESSAGE_Q');
  make_queue('{wf}_LATER_Q');
  make_queue('{wf}_HINT_Q');
  DBMS_AQADM.START_QUEUE(queue_name => 'AQ$_{wf}_QT_E', enqueue => FALSE, dequeue => TRUE);
END;
