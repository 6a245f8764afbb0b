SELECT value FROM v$parameter WHERE name = :p_name
