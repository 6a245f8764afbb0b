BEGIN
  {wf}.append_content(
    p_target      => :p_target,
    p_instance_id => :p_instance_id,
    p_signal_id   => :p_signal_id,
    p_chunk       => :p_chunk);
END;
