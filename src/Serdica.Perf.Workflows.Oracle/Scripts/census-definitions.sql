-- Open instances by definition and its version; how many of them are parked, and one of those.
SELECT definition, NVL(definition_version, 0), COUNT(*),
       COUNT(CASE WHEN BITAND(waits, 16) <> 0 THEN 1 END), MIN(CASE WHEN BITAND(waits, 16) <> 0 THEN instance_id END)
  FROM {wf}_instance
 WHERE status < 2
 GROUP BY definition, NVL(definition_version, 0)
