-- Of the connected container. Counts, and bytes for the redo size.
SELECT name, value
  FROM v$con_sysstat
 WHERE name IN (
         'user commits', 'user rollbacks', 'session logical reads', 'redo size', 'execute count', 'parse count (hard)',
         'SQL*Net roundtrips to/from client')
