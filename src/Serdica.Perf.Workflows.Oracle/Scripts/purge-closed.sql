BEGIN
  {wf}.purge_closed(
    p_age_us => :p_age_us,
    p_purged => :p_purged);
END;
