-- Of this session: DEDICATED, or SHARED or POOLED where sessions share server processes.
SELECT server FROM v$session WHERE sid = TO_NUMBER(SYS_CONTEXT('USERENV', 'SID'))
