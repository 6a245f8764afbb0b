-- The same of the whole instance, where there is no view by container.
SELECT name, value
  FROM v$sysstat
 WHERE name IN (
         'user commits', 'user rollbacks', 'session logical reads', 'physical reads', 'physical writes', 'redo size',
         'redo writes', 'redo synch writes', 'redo synch time', 'enqueue waits', 'SQL*Net roundtrips to/from client',
         'execute count', 'parse count (total)', 'parse count (hard)', 'leaf node splits')
