SELECT value FROM nls_database_parameters WHERE parameter = 'NLS_CHARACTERSET'
