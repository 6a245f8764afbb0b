UPDATE {wf}_schema SET version = :p_version, package_hash = :p_hash WHERE schema_id = 1
