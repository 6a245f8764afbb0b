BEGIN
  {wf}.purge_closed(
    p_age_us => :p_age_us,
    p_batch => :p_batch,
    p_purged => :p_purged);
END;
