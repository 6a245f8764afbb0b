SELECT content FROM {wf}_instance WHERE instance_id = :p_instance_id
