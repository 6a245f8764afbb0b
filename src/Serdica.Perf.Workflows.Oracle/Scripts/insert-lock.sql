BEGIN
  INSERT INTO {wf}_schema (schema_id, version) VALUES (1, 0);
EXCEPTION
  WHEN DUP_VAL_ON_INDEX THEN
    NULL;
END;
