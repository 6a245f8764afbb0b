BEGIN
  {wf}.await_work(
    p_sender  => :p_sender,
    p_seconds => :p_seconds,
    p_found   => :p_found);
END;
