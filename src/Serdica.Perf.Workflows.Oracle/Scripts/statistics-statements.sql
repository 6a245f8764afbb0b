-- The statements that name something of this store, those of AQ on its queue tables among them. One row for each text,
-- without the names of schema and store: the texts of two runs are then the same. What the statistics themselves asked is
-- left out. The times are microseconds.
SELECT text, SUM(executions), SUM(elapsed_time), SUM(rows_processed), SUM(cpu_time), SUM(buffer_gets)
  FROM (
    SELECT SUBSTR(
             REGEXP_REPLACE(REPLACE(REPLACE(REPLACE(sql_text, '"' || USER || '".'), '{wf}_'), '{wf}.'), '\s+', ' '), 1, 200) AS text,
           executions, elapsed_time, rows_processed, cpu_time, buffer_gets
      FROM v$sqlstats
     WHERE INSTR(sql_text, '{wf}') > 0
       AND INSTR(sql_text, 'serdica-perf-statistics') = 0)
 GROUP BY text
