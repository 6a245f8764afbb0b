SELECT event, wait_class, total_waits, time_waited_micro FROM v$system_event WHERE wait_class <> 'Idle'
