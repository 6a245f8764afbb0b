using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;

namespace Serdica.Perf.Cli;

/// <summary>The usual help, followed by examples and exit codes of the command that was asked about.</summary>
internal sealed class HelpWithExamples(HelpAction help, TextWriter output) : SynchronousCommandLineAction
{
    public override bool Terminating => true;

    public override int Invoke(ParseResult parseResult)
    {
        var exitCode = help.Invoke(parseResult);
        output.Write(Examples(Path(parseResult.CommandResult)));
        return exitCode;
    }

    /// <summary>The names from the root's first command on, for instance "dead-letters list".</summary>
    private static string Path(CommandResult result) => result.Parent is not CommandResult parent ? ""
        : Path(parent) is { Length: > 0 } before ? $"{before} {result.Command.Name}"
        : result.Command.Name;

    private static string Examples(string command) => command switch
    {
        "run" => """
            Examples:
              serdica-perf run
                The Smoke tier on PostgreSQL.
              serdica-perf run --tier all --backend postgresql,in-memory
                All tiers, on PostgreSQL and in memory.
              serdica-perf run --scenario signal-roundtrip-throughput-parallel \
                  --operations 20000 --concurrency 256 --workers 2 --load closed --repeat 5
                One scenario under a different load, 5 times.
              serdica-perf run --ladder 1,4,8,16,64,256,1024 --load closed \
                  --operations 5000
                The capacity ladder with more levels. It reports the knee, a sizing note
                and the fit of the Universal Scalability Law.
              serdica-perf run --scenario long-soak --duration 10m
                The long soak, which belongs to no tier. It reports trends of throughput,
                p99, memory and dead rows.
              serdica-perf run --source containers --db-cpus 2 --db-memory 4g
                PostgreSQL in a container with limits. The run records the limits.
              serdica-perf run --source local --db-cpus 1,2,4 \
                  --scenario signal-roundtrip-throughput-sustained
                One scenario on servers of 3 sizes, with the gain from each larger size.
              serdica-perf run --repeat 10 --gate perf-gate.json \
                  --baseline <run or baseline> --rerun-to-confirm
                Compares the run with limits. A scenario that exceeds a limit is measured
                again, and counts only if it exceeds the limit again.

            Exit codes:
              0  everything passed
              1  a verification failed or the run could not be finished; the files are kept
              2  a name or value is unknown or invalid; nothing was run
              3  a limit of the gate was exceeded, or a scenario of the baseline failed
              4  a backend that was named is not available
              5  the gate could judge nothing; the reason is printed
              130  stopped by Ctrl-C; the run is marked as aborted

            """,
        "load" => """
            Examples:
              serdica-perf load --rate 100 --duration 1m
                Starts 100 round trips a second on PostgreSQL, on a fixed schedule.
              serdica-perf load --ramp 2000 --duration 30s --p99 25ms
                Steps of 1,000, 1,500 and 2,000 a second. In each, the p99 may be 25 ms.
              serdica-perf load --profile temporal-dsql --scale 0.05
                A published load test, shortened to a twentieth of its duration.
              serdica-perf load --users 64 --delay 5ms --slots 100 --failure-rate 1% \
                  --payload 4KiB
                64 callers, each of which waits for its own completion. Activities take
                5 ms, and 1 % of them fail on purpose.
              serdica-perf load --backlog 20000
                Prepares a backlog, which the workers then drain as fast as they can.
              serdica-perf load --oscillate 200..2000 --period 20s --duration 2m
                A rate that alternates: 2,000 a second for 10 s, then 200 for 10 s.
              serdica-perf load --rate 5000 --backlog-between 500..5000 --duration 2m
                A backlog that oscillates between two bounds.
              serdica-perf load --find-max --p99 50ms --duration 10s
                Searches for the highest rate that holds and confirms it in a step of 10 s.
              serdica-perf load --rate 2000 --duration 5m --p99 25ms --repeat 3
                Runs the same test 3 times, each time on a fresh store.
              serdica-perf load -e 500 -d 60s -D 10ms -F 2 -P 1kb -s 100 -w 10s
                The one-letter forms. Upper and lower case differ.

            Exit codes:
              0  every step passed or was degraded, with the reason reported;
                 with --find-max, a rate was found and confirmed
              1  a step failed, no rate was found or confirmed, or the test could not be
                 finished; the files are kept
              2  a name or value is unknown or invalid; nothing was run
              4  the backend is not available
              130  stopped by Ctrl-C; the run is marked as aborted

            """,
        "queue" => """
            Examples:
              serdica-perf queue
                10 writers and 20 readers on PostgreSQL for 1 minute, with messages of
                1 KiB and at most 2,000 unread.
              serdica-perf queue --throttle 200 --duration 30s
                200 messages a second, to measure latency without a backlog.
              serdica-perf queue --mode pubsub --subscribers 3 --queues 2 --report 1s
                2 queues, each with 3 subscribers that get every message. Reports every
                second.
              serdica-perf queue --ladder 1,4,16,64 --duration 20s
                Rising numbers of writers, and the level after which more writers stop
                paying off.
              serdica-perf queue --repeat 3
                Measures 3 times, each time on fresh tables, and reports each result.
              serdica-perf queue --no-vacuum-tuning
                Leaves the queue's tables to the server's own vacuum settings.

            Exit codes:
              0  no message was lost or read twice; with --throttle the result may be
                 degraded, with the reason reported
              1  messages were lost, read twice or left unread, or the test could not be
                 finished; the files are kept
              2  a name or value is unknown or invalid; nothing was run
              4  the backend is not available
              130  stopped by Ctrl-C; the run is marked as aborted

            """,
        "size" => """
            Examples:
              serdica-perf size TestResults/workflow-performance/<run of load>
                Machine sizes for the load that they sustain, the growth of each component,
                and fragments for Kubernetes.
              serdica-perf size <run> <run> --headroom 40% --markdown sizes.md
                Uses two runs and adds 40 % to the measured P99.

            Exit codes:
              0  printed; a size that breaks its own rule is reported and left out
              2  a run cannot be read, or has no step that can be used

            """,
        "baseline" or "baseline publish" => """
            Examples:
              serdica-perf baseline publish TestResults/workflow-performance/<run>
                Writes docs/baselines/11-postgresql-performance-baseline-2026-11-21.md and
                .json, with the next free number.

            Exit codes:
              0  published
              2  the run failed, was aborted or used a Debug build, or the number is taken;
                 nothing was written

            """,
        "compare" => """
            Examples:
              serdica-perf compare <run before> <run after>
                What changed. Measure both with at least --repeat 5, better 10. Fewer
                repeats cannot distinguish a change from chance.
              serdica-perf compare <baseline.json> <run> --gate perf-gate.json
                Also judges limits, and exits with 3 when one is exceeded.
              serdica-perf compare <run> <run> --noise-from <run 1> \
                  --noise-from <run 2> --noise-from <run 3>
                Runs of the same code on different days show how much results vary by
                themselves. A smaller difference is no change.

            Exit codes:
              0  compared; with --gate, at least one limit was judged and none was exceeded
              2  a run or the gate's file cannot be read; nothing was compared
              3  a limit of the gate was exceeded, or the candidate lacks or failed a
                 scenario of the base
              5  the gate could judge nothing; the reason is printed

            """,
        "ab" => """
            Examples:
              serdica-perf ab --base commit:HEAD~1 --candidate commit:HEAD \
                  --operations 20000 --concurrency 64 --load closed
                Two commits, each built in Release in a temporary worktree and measured in
                turn on the same PostgreSQL.
              serdica-perf ab --base commit:HEAD --candidate here \
                  --scenario signal-roundtrip-latency-serial --operations 2000
                What you have changed since the last commit. 'here' is this program.
              serdica-perf ab --base "--workers 2" --candidate "--workers 8" \
                  --operations 20000 --concurrency 64
                Two settings of this program.
              serdica-perf ab --base backend:postgresql --candidate backend:in-memory
                Two backends.
              serdica-perf ab --base here --candidate "--step-delay 1ms" --operations 2000
                Checks that ab detects a slow-down. With --candidate here it checks that
                ab detects none where there is none.

            Exit codes:
              0  compared; with --gate, at least one limit was judged and none was exceeded
              1  a verification failed, a commit does not build, or a run could not be
                 finished
              2  a name or value is unknown or invalid; nothing was compared
              3  a limit of the gate was exceeded
              4  a backend is not available
              5  the gate could judge nothing; the reason is printed
              130  stopped by Ctrl-C; there is no verdict

            """,
        "floor" => """
            Examples:
              serdica-perf floor
                Raw SQL and the engine with 1, 16, 64 and 256 callers, about 7 minutes.
              serdica-perf floor --callers 1,64 --blocks 5
                More blocks narrow the range of the ratio.
              serdica-perf floor --callers 1 --blocks 1 --duration 1s
                A first impression.

            Exit codes:
              0  measured
              1  a measurement failed; the files are kept
              2  a name or value is unknown or invalid; nothing was run
              4  PostgreSQL or pgbench is not available
              130  stopped by Ctrl-C; what was measured is kept

            """,
        "history" or "history add" => """
            Examples:
              serdica-perf history add TestResults/workflow-performance/<run>
                Adds one line for each scenario and prints new change points. Commit the
                file.

            Exit codes:
              0  added
              2  the run did not pass, was built with uncommitted changes, or is already in
                 the history; nothing was added

            """,
        "trend" => """
            Examples:
              serdica-perf trend
                All scenarios of the history.
              serdica-perf trend --scenario "postgresql-*" --metric throughput,cost.walBytes
                Some scenarios and metrics.
              serdica-perf trend --json
                The points and the indices of the change points, for a chart.

            Exit codes:
              0  printed and written
              2  there is no such history or scenario, or a line of it cannot be read

            """,
        "report" => """
            Examples:
              serdica-perf report TestResults/workflow-performance/<run> --open
                Writes report.html into the run folder and opens it.
              serdica-perf report <run> --base <baseline.json> --output pull-request.md
                The answers and what changed, short enough for a comment on a pull request.
              serdica-perf report <run on one database> <run on another> \
                  --output databases.html
                Both on one page.

            Exit codes:
              0  written
              2  a run cannot be read, the file cannot be written, or its extension is
                 unknown; nothing was written

            """,
        "serve" => """
            Examples:
              serdica-perf serve
                All runs in TestResults/workflow-performance at http://127.0.0.1:5080/.
              serdica-perf serve --output /var/runs --port 8080
                The runs in another folder, at http://127.0.0.1:8080/.

            Exit codes:
              0  ended by Ctrl-C
              2  the port is not available

            """,
        "init" => """
            Examples:
              serdica-perf init orders
                Writes a project into the folder 'orders' and prints the next commands.

            Exit codes:
              0  written
              2  the folder exists and is not empty; nothing was written

            """,
        "list" => """
            Examples:
              serdica-perf list
                A table of all scenarios.
              serdica-perf list --json
                The same as JSON.

            Exit codes:
              0  printed

            """,
        "backends" => """
            Examples:
              serdica-perf backends <run on PostgreSQL> <run on MongoDB> > backends.md
                Both side by side, beside the figures of the Oracle AQ reference.

            Exit codes:
              0  printed
              2  a run cannot be read

            """,
        "dead-letters" => """
            Examples:
              serdica-perf dead-letters list --open
              serdica-perf dead-letters requeue --all
              serdica-perf dead-letters list --help

            """,
        "dead-letters list" => """
            Examples:
              serdica-perf dead-letters list --store orders
                The first 100 dead letters in the schema 'orders', on the PostgreSQL that
                SERDICA_WORKFLOW_POSTGRESQL names.
              serdica-perf dead-letters list --open --definition order --limit 20
                The first 20 of open instances of the definition 'order'.
              serdica-perf dead-letters list --backend mongodb --json
                The dead letters on MongoDB as JSON.

            Exit codes:
              0  printed
              1  the store cannot be reached
              2  a name or value is unknown or invalid
              4  no server is named, or the backend is not available

            """,
        "dead-letters requeue" => """
            Examples:
              serdica-perf dead-letters requeue 0199d6a2-7c1e-7b52-9a61-6c1f0e3d2b44
                One dead letter, by the id that 'dead-letters list' prints.
              serdica-perf dead-letters requeue --all --store orders
                All dead letters of open instances in the schema 'orders'.

            Exit codes:
              0  the command ended; the output says how many dead letters were requeued
              1  the store cannot be reached
              2  a name or value is unknown or invalid; nothing was requeued
              4  no server is named, or the backend is not available

            """,
        "doctor" => """
            Examples:
              serdica-perf doctor
                The machine, every backend and every optional package.
              serdica-perf doctor --backend documentdb
                Checks one backend only. For oracle-aq it also tries grants, queues and one
                message.

            Exit codes:
              0  the named backend, or PostgreSQL when none is named, can be measured
              1  it cannot be measured; the output says what to do

            """,
        _ => """
            Examples:
              serdica-perf doctor
              serdica-perf list
              serdica-perf run --tier smoke --backend postgresql,in-memory
              serdica-perf run --help

            """,
    };
}
