BEGIN
  {wf}.notify_work(
    p_sender => :p_sender,
    p_left   => :p_left);
END;
