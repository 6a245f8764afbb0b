SELECT COUNT(*) FROM v$process
