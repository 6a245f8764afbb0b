-- Open instances by definition and its version.
SELECT definition, NVL(definition_version, 0), COUNT(*)
  FROM {wf}_instance
 WHERE status < 2
 GROUP BY definition, NVL(definition_version, 0)
