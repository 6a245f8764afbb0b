SELECT sys_context('USERENV', 'CON_NAME') FROM dual
