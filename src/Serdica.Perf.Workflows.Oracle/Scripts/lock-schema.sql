-- Waits for another process that is making the schema.
SELECT version, package_hash FROM {wf}_schema WHERE schema_id = 1 FOR UPDATE
