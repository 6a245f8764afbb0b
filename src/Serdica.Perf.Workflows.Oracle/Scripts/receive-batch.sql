BEGIN
  {wf}.receive_batch(
    p_max      => :p_max,
    p_seconds  => :p_seconds,
    p_now_us   => :p_now_us,
    p_next_us  => :p_next_us,
    p_waited   => :p_waited,
    p_messages => :p_messages,
    p_contents => :p_contents);
END;
