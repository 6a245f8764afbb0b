-- The same of the whole instance, where there is no view by container.
SELECT name, value
  FROM v$sysstat
 WHERE name IN (
         'user commits', 'user rollbacks', 'session logical reads', 'redo size', 'execute count', 'parse count (hard)',
         'SQL*Net roundtrips to/from client')
