BEGIN
  {wf}.purge_orphans(
    p_batch  => :p_batch,
    p_purged => :p_purged);
END;
