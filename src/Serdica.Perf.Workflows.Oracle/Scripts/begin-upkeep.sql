BEGIN
  {wf}.begin_upkeep(
    p_pause_us => :p_pause_us,
    p_begun    => :p_begun);
END;
