-- The row that processes lock while they make or upgrade the schema, and that says which version it has, and when a process
-- last began the upkeep of the store.
-- May run in several processes at once: whoever comes second finds it there.
DECLARE
  e_name_taken EXCEPTION;
  PRAGMA EXCEPTION_INIT(e_name_taken, -955);
BEGIN
  EXECUTE IMMEDIATE 'CREATE TABLE {wf}_schema (
    schema_id    NUMBER(1)    NOT NULL CONSTRAINT {wf}_schema_pk PRIMARY KEY,
    version      NUMBER(9)    NOT NULL,
    package_hash VARCHAR2(64),
    upkeep_us    NUMBER(18)
  )';
EXCEPTION
  WHEN e_name_taken THEN
    NULL;
END;
