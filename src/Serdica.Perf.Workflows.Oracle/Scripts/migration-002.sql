-- The version of the definition, so that open instances are counted by definition and version without reading contents.
-- Instances of before have none until they are written again.
DECLARE
  e_column_exists EXCEPTION;
  PRAGMA EXCEPTION_INIT(e_column_exists, -1430);
BEGIN
  EXECUTE IMMEDIATE 'ALTER TABLE {wf}_instance ADD (definition_version NUMBER(10))';
EXCEPTION
  WHEN e_column_exists THEN
    NULL;
END;
