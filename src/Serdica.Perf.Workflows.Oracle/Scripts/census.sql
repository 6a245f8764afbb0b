-- Everything counted in one statement, so that it is of one moment. Stuck is what nothing will ever move: an open
-- instance that waits neither for the outside, nor for a signal that exists, nor for a child that is open. ROWNUM keeps
-- the clock's view from being merged: it would be read for each row of the signals. Dead messages are those in the
-- exception queue that no row leads to: signals and delayed messages are taken from there by their ids.
SELECT
    (SELECT COUNT(*) FROM {wf}_instance WHERE status = 0),
    (SELECT COUNT(*) FROM {wf}_instance WHERE status = 1),
    (SELECT COUNT(*) FROM {wf}_instance WHERE status = 2),
    (SELECT COUNT(*) FROM {wf}_instance WHERE status = 3),
    (SELECT COUNT(*) FROM {wf}_instance WHERE status = 4),
    (SELECT COUNT(*) FROM {wf}_signal WHERE due_us <= c.now_us),
    (SELECT COUNT(*) FROM {wf}_signal WHERE due_us > c.now_us),
    (SELECT COUNT(*) FROM {wf}_dead_letter),
    (SELECT COUNT(*) FROM {wf}_qt WHERE q_name IN ('{wf}_MESSAGE_Q', '{wf}_LATER_Q') AND state IN (0, 1)),
    (
      SELECT COUNT(*)
        FROM {wf}_qt q
       WHERE q.q_name = 'AQ$_{wf}_QT_E'
         AND NOT EXISTS (SELECT 1 FROM {wf}_signal s WHERE s.message_id = q.msgid)
         AND NOT EXISTS (SELECT 1 FROM {wf}_later l WHERE l.message_id = q.msgid)
    ),
    (
      SELECT COUNT(*)
        FROM {wf}_instance w
       WHERE w.status < 2
         AND BITAND(w.waits, 1) = 0
         AND NOT EXISTS (SELECT 1 FROM {wf}_signal s WHERE s.instance_id = w.instance_id)
         AND NOT (BITAND(w.waits, 8) <> 0 AND EXISTS (
               SELECT 1 FROM {wf}_instance p WHERE p.parent_id = w.instance_id AND p.status < 2))
    )
  FROM (SELECT {wf}.now_us AS now_us FROM dual WHERE ROWNUM = 1) c
