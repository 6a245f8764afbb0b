SELECT instance_id, parent_id, business_key, version, status, waits, created_us, updated_us, content
  FROM {wf}_instance
 WHERE business_key = :p_business_key
