SELECT stat_name, value FROM v$sys_time_model WHERE stat_name IN ('DB time', 'DB CPU')
