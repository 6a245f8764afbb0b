-- Whether a signal or message has been due for longer than a moment: twice as long as what the first process calls for help with
-- (HelpCalls). Each process that hears no hints asks every second.
--
-- Indexes: signal_due and message_due. The lower bound leaves out dead entries that an old snapshot keeps from being vacuumed. What
-- is older has been seen before, even if a claim held it until the server ended that claim; otherwise a poll finds it.
select exists (
    select
    from (select due_at from {schema}.signal union all select due_at from {schema}.message) as work
    where due_at >= statement_timestamp() - interval '5 seconds'
            - greatest(current_setting('idle_in_transaction_session_timeout')::interval, interval '10 seconds')
        and due_at <= statement_timestamp() - interval '100 milliseconds')
