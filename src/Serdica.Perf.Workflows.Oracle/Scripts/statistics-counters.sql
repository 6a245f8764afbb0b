-- Of the connected container. Counts; bytes for the redo size, and hundredths of a second for the time.
SELECT name, value
  FROM v$con_sysstat
 WHERE name IN (
         'user commits', 'user rollbacks', 'session logical reads', 'physical reads', 'physical writes', 'redo size',
         'redo writes', 'redo synch writes', 'redo synch time', 'enqueue waits', 'SQL*Net roundtrips to/from client',
         'execute count', 'parse count (total)', 'parse count (hard)', 'leaf node splits')
