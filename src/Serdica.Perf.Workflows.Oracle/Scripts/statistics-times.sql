-- Of the connected container, in microseconds, of foreground sessions only. Up to 5 s of a call that is running may not
-- be there yet.
SELECT stat_name, value FROM v$con_sys_time_model WHERE stat_name IN ('DB time', 'DB CPU')
