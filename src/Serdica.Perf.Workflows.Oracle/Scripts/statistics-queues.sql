-- What was done to the queues of this store since the server started. A queue that nobody has used yet has no row. The
-- times are hundredths of a second.
SELECT /* serdica-perf-statistics */
       CASE queue_name
         WHEN '{wf}_SIGNAL_Q' THEN 'signal'
         WHEN '{wf}_MESSAGE_Q' THEN 'message'
         WHEN '{wf}_LATER_Q' THEN 'later'
         ELSE 'exception'
       END,
       enqueued_msgs, dequeued_msgs, elapsed_enqueue_time, elapsed_dequeue_time, enqueue_cpu_time, dequeue_cpu_time
  FROM v$persistent_queues
 WHERE queue_schema = USER
   AND queue_name IN ('{wf}_SIGNAL_Q', '{wf}_MESSAGE_Q', '{wf}_LATER_Q', 'AQ$_{wf}_QT_E')
