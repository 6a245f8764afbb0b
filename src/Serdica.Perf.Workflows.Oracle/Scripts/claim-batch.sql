BEGIN
  {wf}.claim_batch(
    p_max       => :p_max,
    p_bytes     => :p_bytes,
    p_skip      => :p_skip,
    p_one       => :p_one,
    p_now_us    => :p_now_us,
    p_next_us   => :p_next_us,
    p_missing   => :p_missing,
    p_instances => :p_instances,
    p_contents  => :p_contents);
END;
