using System.CommandLine;
using Serdica.Perf.Backends;
using Serdica.Perf.Cli.Options;
using Serdica.Perf.Cli.Output;
using Serdica.Perf.Databases;
using Serdica.Perf.Measurement.Queues;
using Serdica.Perf.Measurement.Running;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Reports;
using Serdica.Perf.Results.Folders;
using Serdica.Perf.Results.LoadTests;
using Serdica.Perf.Results.Queues;
using Serdica.Perf.Results.Recording;
using Serdica.Perf.Results.Runs;
using static System.FormattableString;

namespace Serdica.Perf.Cli.Commands.Queue;

/// <summary>`queue`: measures the bare queue with writers and readers.</summary>
internal sealed class QueueCommand
{
    private readonly TextWriter _output;
    private readonly TextWriter _error;
    private readonly DatabaseEnvironment _environment;
    private readonly QueueOptionSet _options = new();

    public QueueCommand(TextWriter output, TextWriter error, DatabaseEnvironment environment)
    {
        (_output, _error, _environment) = (output, error, environment);
        Command = new("queue", "Measures the bare queue of a backend with writers and readers, without workflows.");
        _options.AddTo(Command);
        Command.SetAction((parsed, cancellationToken) => RunAsync(parsed, _options.Read(parsed), cancellationToken));
    }

    public Command Command { get; }

    private async Task<int> RunAsync(ParseResult parsed, QueueRequest request, CancellationToken cancellationToken)
    {
        var console = request.Json ? _error : _output;
        using var observer = Consoles.Observer(console);
        var command = RunCommand.CommandText(parsed);
        var options = new SuiteOptions { OutputRoot = request.Output ?? RunFolder.DefaultRoot, Backends = request.Backend, Tier = "queue", Command = command };
        using var session = await MeasuringSession.BeginAsync(options, observer, console, _error, request.LogLevel, cancellationToken)
            .ConfigureAwait(false);
        var suite = session.Suite;
        var catalog = new BackendCatalog(session.Log.Loggers, _environment, BackendCatalog.From(request.Source, ExpectedLog.Of(request.Plans, request.Repeats)));
        var tests = new List<QueueTestResult>();
        var provided = true;
        await session.MeasureAsync(
            async token =>
            {
                if (await suite.ProvideAsync(catalog.Source(request.Backend), token).ConfigureAwait(false) is BackendProvision.Provided { Backend: var backend })
                {
                    await using (backend.ConfigureAwait(false))
                    {
                        foreach (var (plan, repeat) in request.Plans.SelectMany(_ => Enumerable.Range(1, request.Repeats), (plan, repeat) => (plan, repeat)))
                            tests.Add(await new QueueTest(suite, backend, plan, repeat) { IsRung = request.Plans.Count > 1, Engine = request.Engine }.RunAsync(command, token).ConfigureAwait(false));
                    }
                }
                else
                    provided = false;
            },
            cancellationToken).ConfigureAwait(false);

        var run = suite.End();
        var test = tests.Count == 0 ? null : request.Plans.Count > 1 ? QueueRung.Together(tests) : QueueRepeat.Together(tests);
        if (test is not null)
        {
            suite.Folder.Write(test);
            var engine = EngineSettings.Options(test.Plan.Readers, request.Engine) with { Linger = test.Plan.Linger };
            RunReports.Write(suite.Folder, run, test, EngineSettings.Values(engine));
        }
        else
            RunReports.Write(suite.Folder, run);

        if (request.Json && test is not null)
            await _output.WriteAsync(await suite.Folder.ReadAsync(RunFolder.QueueFile).ConfigureAwait(false)).ConfigureAwait(false);
        Write(console, test, run, suite.Folder);
        if (cancellationToken.IsCancellationRequested)
            return ExitCodes.Cancelled;
        return !provided ? ExitCodes.BackendUnavailable : test is null or { Verdict: StepVerdict.Failed } ? ExitCodes.Failed : ExitCodes.Success;
    }

    private static void Write(TextWriter writer, QueueTestResult? test, RunResult run, RunFolder folder)
    {
        foreach (var missing in run.NotMeasured)
            writer.WriteLine($"Not measured: {missing.Backend}: {missing.Reason}");
        if (test is not null)
        {
            writer.WriteLine(
                Invariant($"Written {test.Written:N0}, {test.WrittenPerSecond:N0}/s, {test.WrittenMebibytesPerSecond:N2} MiB/s; ")
                + Invariant($"read {test.Read:N0}, {test.ReadPerSecond:N0}/s, {test.ReadMebibytesPerSecond:N2} MiB/s; ")
                + Invariant($"{test.UnreadAtEnd:N0} unread when writing ended, at most {test.PeakUnread:N0}"));
            WriteLatency(writer, "write", test.Write);
            WriteLatency(writer, "read", test.ReadTime);
            WriteLatency(writer, "end to end", test.EndToEnd);
            foreach (var level in test.Ladder)
            {
                writer.WriteLine(Invariant(
                    $"  {level.Writers} writer(s): {Rates(level.WrittenPerSecond, level.ReadPerSecond, level.EndToEnd)}"));
            }

            if (test.Ladder.Count > 0)
                writer.WriteLine($"  {QueueRung.Sentence(test.Ladder)}");
            foreach (var repeat in test.Repeats)
            {
                var rates = Rates(repeat.WrittenPerSecond, repeat.ReadPerSecond, repeat.EndToEnd);
                var above = repeat.Number == test.Repeat ? "; the figures above" : "";
                writer.WriteLine(Invariant($"  #{repeat.Number}: {repeat.Verdict.ToString().ToUpperInvariant()}, {rates}{above}"));
            }

            writer.WriteLine(Invariant($"  lost {test.Lost:N0}, read twice {test.Duplicates:N0}"));
            foreach (var reason in test.Reasons)
                writer.WriteLine($"  {reason}");
            foreach (var warning in test.Warnings)
                writer.WriteLine($"  {warning}");
            writer.WriteLine($"  Limited by {test.LimitedBy}: {test.LimitEvidence}");
            writer.WriteLine($"{test.Verdict.ToString().ToUpperInvariant()}.");
        }
        else
            writer.WriteLine($"{run.Status.ToString().ToUpperInvariant()}: {run.StatusReason}");

        writer.WriteLine($"Run folder: {Path.GetRelativePath(Directory.GetCurrentDirectory(), folder.Path)}");
    }

    private static void WriteLatency(TextWriter writer, string name, LatencySummary latency) => writer.WriteLine(
        Invariant($"  {name}: p50 {latency.P50Ms:N2} ms, p95 {latency.P95Ms:N2} ms, p99 {latency.P99Ms:N2} ms, ")
        + Invariant($"max {latency.MaxMs:N2} ms, {latency.Count:N0} samples"));

    private static string Rates(double written, double read, LatencySummary endToEnd) => Invariant(
        $"written {written:N0}/s, read {read:N0}/s, end to end p50 {endToEnd.P50Ms:N2} ms, p99 {endToEnd.P99Ms:N2} ms");
}
