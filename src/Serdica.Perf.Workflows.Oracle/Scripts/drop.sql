-- Drops all that belongs to the prefix, whether whole or half made. The lock row goes last.
DECLARE
  e_no_queue_table EXCEPTION;
  PRAGMA EXCEPTION_INIT(e_no_queue_table, -24002);
  e_no_table EXCEPTION;
  PRAGMA EXCEPTION_INIT(e_no_table, -942);
  e_no_object EXCEPTION;
  PRAGMA EXCEPTION_INIT(e_no_object, -4043);

  PROCEDURE drop_object(p_statement IN VARCHAR2) IS
  BEGIN
    EXECUTE IMMEDIATE p_statement;
  EXCEPTION
    WHEN e_no_table OR e_no_object THEN
      NULL;
  END drop_object;

  PROCEDURE drop_queue_table(p_name IN VARCHAR2) IS
  BEGIN
    DBMS_AQADM.DROP_QUEUE_TABLE(queue_table => p_name, force => TRUE);
  EXCEPTION
    WHEN e_no_queue_table THEN
      NULL;
  END drop_queue_table;
BEGIN
  drop_object('DROP PACKAGE {wf}');
  drop_queue_table('{wf}_QT');
  drop_queue_table('{wf}_HINT_QT');
  drop_object('DROP TABLE {wf}_later PURGE');
  drop_object('DROP TABLE {wf}_dead_letter PURGE');
  drop_object('DROP TABLE {wf}_signal_key PURGE');
  drop_object('DROP TABLE {wf}_large PURGE');
  drop_object('DROP TABLE {wf}_signal PURGE');
  drop_object('DROP TABLE {wf}_instance PURGE');
  drop_object('DROP TABLE {wf}_schema PURGE');
END;
