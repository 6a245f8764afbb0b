SELECT version, package_hash FROM {wf}_schema WHERE schema_id = 1
