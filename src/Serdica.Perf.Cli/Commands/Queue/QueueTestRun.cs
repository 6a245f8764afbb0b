using Serdica.Perf.Measurement.Queues;

namespace Serdica.Perf.Cli.Commands.Queue;

/// <summary>One queue test: every plan of a request, as often as was asked.</summary>
/// <param name="arguments">The arguments for each host process.</param>
internal sealed class QueueTestRun(QueueRequest request, IReadOnlyList<string> arguments) : BackendTest<QueueTestResult>
{
    private readonly List<QueueTestResult> _tests = [];

    protected override string Backend => request.Backend;

    protected override string Tier => "queue";

    protected override string ResultFile => RunFolder.QueueFile;

    protected override long? ExpectedLogBytes => ExpectedLog.Of(request.Plans, request.Repeats);

    protected override int Hosts => request.Hosts;

    /// <summary>One for each reader and writer, and two for each queue in each process: to listen, and for what is not hot.</summary>
    protected override int Connections
    {
        get
        {
            var plan = request.Plans[0];
            var queues = plan.Queues * plan.Copies;
            return plan.Readers + request.Plans.Max(one => one.Writers) + (2 * (request.Hosts + 1) * queues);
        }
    }

    private bool IsLadder => request.Plans.Count > 1;

    protected override async Task MeasureAsync(SuiteRun suite, IMeasuredBackend backend, CancellationToken cancellationToken)
    {
        var hosts = request.Hosts == 0 ? null : new HostProcesses(request.Hosts, arguments, suite.Folder);
        await (
            hosts is null
                ? MeasureAsync(suite, backend, null, cancellationToken)
                : hosts.WatchAsync(token => MeasureAsync(suite, backend, hosts.Source, token), cancellationToken)
        );
    }

    private async Task MeasureAsync(SuiteRun suite, IMeasuredBackend backend, HostSource? hosts, CancellationToken cancellationToken)
    {
        foreach (var plan in request.Plans)
        {
            for (var repeat = 1; repeat <= request.Repeats; repeat++)
            {
                var test = new QueueTest(suite, backend, plan, repeat)
                {
                    IsRung = IsLadder,
                    Engine = request.Engine,
                    Hosts = hosts,
                };
                _tests.Add(await test.RunAsync(Command, cancellationToken));
            }
        }
    }

    protected override QueueTestResult? Result() =>
        _tests.Count == 0 ? null
        : IsLadder ? QueueRung.Together(_tests)
        : QueueRepeat.Together(_tests);

    protected override void Write(RunFolder folder, RunResult run, QueueTestResult result)
    {
        folder.Write(result);
        var engine = EngineSettings
            .Options(result.Plan.Readers, request.Engine)
            .On(BackendNames.Capabilities(Backend), receivesMessages: true);
        RunReports.Write(folder, run, result, EngineSettings.Values(engine with { Linger = result.Plan.Linger }));
    }

    protected override void Summarize(TextWriter console, QueueTestResult? result, RunResult run, RunFolder folder) =>
        QueueSummary.Write(console, result, run, folder);

    protected override bool Holds(QueueTestResult result) => result.Verdict != StepVerdict.Failed;
}
