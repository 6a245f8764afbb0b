SELECT content FROM {wf}_large WHERE instance_id = :p_instance_id AND signal_id = :p_signal_id
