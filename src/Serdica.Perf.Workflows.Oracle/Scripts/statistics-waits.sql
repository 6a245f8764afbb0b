-- Of the connected container. The waiting of AQ itself is in class Idle and drops out.
SELECT event, wait_class, total_waits, time_waited_micro FROM v$con_system_event WHERE wait_class <> 'Idle'
