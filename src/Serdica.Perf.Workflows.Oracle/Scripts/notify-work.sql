BEGIN
  {wf}.notify_work;
END;
