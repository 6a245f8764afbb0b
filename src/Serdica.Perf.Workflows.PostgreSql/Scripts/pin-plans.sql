-- For connections whose settings do not last (a pooler in transaction mode): the plans of this transaction, and how long
-- its statements may take ($1), wait for a lock ($2), and how long it may wait for its client ($3).
select
    set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true),
    set_config('enable_seqscan', 'off', true),
    set_config('enable_bitmapscan', 'off', true),
    set_config('plan_cache_mode', 'force_generic_plan', true), --plain
    set_config('jit', 'off', true),
    set_config('statement_timeout', $1, true),
    set_config('lock_timeout', $2, true),
    set_config('idle_in_transaction_session_timeout', $3, true)
