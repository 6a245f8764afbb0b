using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;

namespace Serdica.Perf.Cli;

/// <summary>The usual help, with examples behind it.</summary>
internal sealed class HelpWithExamples(HelpAction help, TextWriter output) : SynchronousCommandLineAction
{
    public override bool Terminating => true;

    public override int Invoke(ParseResult parseResult)
    {
        var exitCode = help.Invoke(parseResult);
        output.Write(Examples(parseResult.CommandResult.Command.Name));
        return exitCode;
    }

    private static string Examples(string command) => command switch
    {
        "run" => """
            Examples:
              serdica-perf run
                The Smoke tier on PostgreSQL.
              serdica-perf run --tier all --backend postgresql,in-memory
                Everything, on PostgreSQL and in memory.
              serdica-perf run --scenario postgresql-signal-roundtrip-throughput-parallel --operations 20000 \
                               --concurrency 256 --workers 2 --load closed --repeat 5
                One scenario under another load, five times.
              serdica-perf run --ladder 1,4,8,16,64,256,1024 --load closed --operations 5000
                The capacity ladder with more rungs: knee, sizing note and scalability law.
              serdica-perf run --scenario long-soak --duration 10m
                The long soak, which is a part of no tier: trends of throughput, p99, memory, dead rows.
              serdica-perf run --source containers --db-cpus 2 --db-memory 4g
                PostgreSQL in a container with limits, which are recorded and make runs comparable.
              serdica-perf run --source local --db-cpus 1,2,4 --scenario signal-roundtrip-throughput-sustained
                The same on servers of three sizes, and what the further processors brought.
              serdica-perf run --repeat 10 --gate perf-gate.json --baseline <run or baseline> --rerun-to-confirm
                Measure and hold it against limits; what breaches one is measured again before it counts.

            Exit codes:
              0  everything passed
              1  a verification failed; the artifacts are kept
              2  a name or value is not understood
              3  a limit of the gate was exceeded, or a scenario of the baseline failed
              4  a backend that was named is not available
              5  the gate could judge nothing; the reason is printed
              130  stopped by Ctrl-C; the run is marked as aborted

            """,
        "load" => """
            Examples:
              serdica-perf load --rate 100 --duration 1m
                100 round trips a second on PostgreSQL, from a schedule, whatever becomes of them.
              serdica-perf load --ramp 2000 --duration 30s --p99 25ms
                1,000, 1,500 and 2,000 a second, each of which must keep a p99 of 25 ms.
              serdica-perf load --profile temporal-dsql --scale 0.05
                A published load test in a twentieth of its time.
              serdica-perf load --users 64 --delay 5ms --slots 100 --failure-rate 1% --payload 4KiB
                Users who wait for their own completion; activities of 5 ms, of which one in a hundred fails on purpose.
              serdica-perf load --backlog 20000
                A backlog, burnt down as fast as it goes.
              serdica-perf load --oscillate 200..2000 --period 20s --duration 2m
                A rate that alternates: 10 s of 2,000 a second, 10 s of 200.
              serdica-perf load --rate 5000 --backlog-between 500..5000 --duration 2m
                A backlog that swings between two bounds.
              serdica-perf load --find-max --p99 50ms --duration 10s
                The highest rate that holds, confirmed by a step of 30 s.
              serdica-perf load --rate 2000 --duration 5m --p99 25ms --repeat 3
                Whether that is held every time: the same test three times over, each on a fresh store.
              serdica-perf load -e 500 -d 60s -D 10ms -F 2 -P 1kb -s 100 -w 10s
                The one-letter forms, where case matters.

            Exit codes:
              0  every step passed, or was degraded for a reason that is told; with --find-max, a rate was found and confirmed
              1  a step failed, no rate was found or none confirmed, or the test could not be finished; the artifacts are kept
              2  a name or value is not understood
              4  the backend can't be had
              130  stopped by Ctrl-C; the run is marked as aborted

            """,
        "queue" => """
            Examples:
              serdica-perf queue
                10 writers, 20 readers, 1 KiB, at most 2,000 unread, a minute, on PostgreSQL.
              serdica-perf queue --throttle 200 --duration 30s
                At 200 messages a second: latencies without a queue.
              serdica-perf queue --mode pubsub --subscribers 3 --queues 2 --report 1s
                Two queues, each message of which goes to three subscribers; a report every second.
              serdica-perf queue --ladder 1,4,16,64 --duration 20s
                Rising numbers of writers, and where more of them stop to pay.
              serdica-perf queue --repeat 3
                The same three times over, each on fresh tables, and how far the three lie apart.
              serdica-perf queue --no-vacuum-tuning
                With the server's own vacuum settings.

            Exit codes:
              0  no message was lost or read twice; with a throttle it may be degraded, which is told
              1  messages were lost, read twice or left, or the test could not be finished; the artifacts are kept
              2  a name or value is not understood
              4  the backend can't be had
              130  stopped by Ctrl-C; the run is marked as aborted

            """,
        "size" => """
            Examples:
              serdica-perf size TestResults/workflow-performance/<run of load>
                Sizes by the load they carry, growth of each component, and fragments for Kubernetes.
              serdica-perf size <run> <run> --headroom 40% --markdown sizes.md

            Exit codes:
              0  printed; sizes that broke their own rule are named and held back
              2  a run can't be read, or has no step that can be used

            """,
        "baseline" or "publish" => """
            Examples:
              serdica-perf baseline publish TestResults/workflow-performance/20261121T130818Z-postgresql-all
                Writes docs/baselines/11-postgresql-performance-baseline-2026-11-21.md and .json, with the next free number.

            Exit codes:
              0  published
              2  the run failed, was aborted or is of a Debug build, or the number is taken; nothing was written

            """,
        "compare" => """
            Examples:
              serdica-perf compare TestResults/workflow-performance/<run before> TestResults/workflow-performance/<run after>
                What changed. Measure both with --repeat 5 at least, better 10: fewer can't tell a change from chance.
              serdica-perf compare docs/baselines/11-postgresql-performance-baseline-2026-11-21.json <run> --gate perf-gate.json
                The same, and exit code 3 when a limit is not kept.
              serdica-perf compare <run> <run> --noise-from <run 1> --noise-from <run 2> --noise-from <run 3>
                Runs of the same code on other days show how much they differ by themselves; less is no change.

            Exit codes:
              0  compared; with --gate, something could be judged and no limit was exceeded
              2  a run or the gate's file can't be read; nothing was compared
              3  a limit of the gate was exceeded, or the candidate lacks or failed a scenario of the base
              5  the gate could judge nothing; the reason is printed

            """,
        "ab" => """
            Examples:
              serdica-perf ab --base commit:HEAD~1 --candidate commit:HEAD --operations 20000 --concurrency 64 --load closed
                Two commits, each built in Release in a temporary worktree, in turn on the same PostgreSQL.
              serdica-perf ab --base commit:HEAD --candidate here --scenario signal-roundtrip-latency-serial --operations 2000
                What you have changed since the last commit; 'here' is this program as it is.
              serdica-perf ab --base "--workers 2" --candidate "--workers 8" --operations 20000 --concurrency 64
                Two settings of this program.
              serdica-perf ab --base backend:postgresql --candidate backend:in-memory --operations 5000
                Two backends.
              serdica-perf ab --base here --candidate "--step-delay 1ms" --operations 2000
                Whether a slow-down would be found; and with --candidate here, whether none is seen where there is none.

            Exit codes:
              0  compared; with --gate, something could be judged and no limit was exceeded
              1  a verification failed, a commit does not build, or a run could not be finished
              2  a name or value is not understood; nothing was compared
              3  a limit of the gate was exceeded
              4  a backend is not available
              5  the gate could judge nothing; the reason is printed
              130  stopped by Ctrl-C; there is no verdict

            """,
        "history" or "add" => """
            Examples:
              serdica-perf history add TestResults/workflow-performance/<run>
                One line for each scenario, and the change points that show with them. Commit the file.

            Exit codes:
              0  added
              2  the run did not pass, is not of a commit as it is, or has nothing that is not there; nothing was added

            """,
        "trend" => """
            Examples:
              serdica-perf trend
              serdica-perf trend --scenario "postgresql-*" --metric throughput,cost.walBytes
              serdica-perf trend --json
                The points and the indices of the change points, for a chart.

            Exit codes:
              0  printed and written
              2  there is no such history or scenario, or a line is not understood

            """,
        "report" => """
            Examples:
              serdica-perf report TestResults/workflow-performance/<run> --open
                Writes report.html into the run folder and opens it.
              serdica-perf report <run> --base docs/baselines/11-postgresql-performance-baseline-2026-11-21.json --output pull-request.md
                The answers and what changed, of a size for the comment of a pull request.
              serdica-perf report <run on one database> <run on another> --output databases.html
                Both in one page.

            Exit codes:
              0  written
              2  a run can't be read, or the file can't be written or has another ending; nothing was written

            """,
        "serve" => """
            Examples:
              serdica-perf serve
                All runs of TestResults/workflow-performance at http://127.0.0.1:5080/.
              serdica-perf serve --output /var/runs --port 8080

            Exit codes:
              0  ended by Ctrl-C
              2  the port can't be had

            """,
        "init" => """
            Examples:
              serdica-perf init orders
                A project in the folder 'orders'; the next commands are printed.

            Exit codes:
              0  written
              2  the folder is there and not empty; nothing was written

            """,
        "list" => """
            Examples:
              serdica-perf list
              serdica-perf list --json

            """,
        "doctor" => """
            Examples:
              serdica-perf doctor
                The machine, every backend and every optional package.
              serdica-perf doctor --backend documentdb
                One backend only; of oracle-aq grants, queues and one message are tried as well.

            Exit codes:
              0  the named backend, or PostgreSQL when none is named, can be measured
              1  it can't; the output says what to do

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
