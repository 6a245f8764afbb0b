SELECT signal_id, instance_id, dead_us, kind, attempt, reason, content, detail
  FROM {wf}_dead_letter
 ORDER BY dead_us, signal_id
 FETCH FIRST :p_limit ROWS ONLY
