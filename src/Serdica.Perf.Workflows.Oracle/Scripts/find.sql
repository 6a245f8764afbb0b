SELECT instance_id, parent_id, business_key, version, status, waits, created_us, updated_us, content
  FROM {wf}_instance
 WHERE instance_id = :p_instance_id
