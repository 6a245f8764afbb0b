BEGIN
  {wf}.sweep_messages(
    p_batch => :p_batch,
    p_swept => :p_swept);
END;
