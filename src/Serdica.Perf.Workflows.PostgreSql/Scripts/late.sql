-- Whether a signal or message has been due for longer than a moment: twice as long as what the first process calls for help with
-- (HelpCalls). Each process that hears no hints asks every second.
--
-- Indexes: signal_due and message_due, which are read up to the first entry that is alive.
select coalesce(
    least(
        (select s.due_at from {schema}.signal s order by s.due_at limit 1),
        (select m.due_at from {schema}.message m order by m.due_at limit 1))
    <= statement_timestamp() - interval '100 milliseconds', false)
