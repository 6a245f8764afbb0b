BEGIN
  {wf}.write_batch(
    p_items    => :p_items,
    p_contents => :p_contents,
    p_since    => :p_since,
    p_now_us   => :p_now_us,
    p_conflict => :p_conflict,
    p_results  => :p_results);
END;
