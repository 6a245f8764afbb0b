SELECT COUNT(*) FROM v$session
