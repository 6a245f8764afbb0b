SELECT COUNT(*), MIN(bytes) FROM v$log
