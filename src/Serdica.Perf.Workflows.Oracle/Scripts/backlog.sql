SELECT /* serdica-perf-statistics */ q_name, state, COUNT(*) AS messages FROM {wf}_qt GROUP BY q_name, state
