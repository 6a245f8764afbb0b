namespace Serdica.Perf.Cli.Commands;

/// <summary>
/// A test on one backend that writes a result of its own beside the summary of its run: what `load` and `queue` have in
/// common.
/// </summary>
/// <typeparam name="TResult">The result of the whole test.</typeparam>
internal abstract class BackendTest<TResult>
    where TResult : class
{
    /// <summary>What was typed.</summary>
    public required string Command { get; init; }

    public required SessionRequest Session { get; init; }

    protected abstract string Backend { get; }

    /// <summary>What the run is called in its folder's name.</summary>
    protected abstract string Tier { get; }

    /// <summary>The name of the result in the run folder.</summary>
    protected abstract string ResultFile { get; }

    protected virtual bool KeepsOperations => false;

    /// <summary>Where git is asked for the commit of what is tested; null for the current folder.</summary>
    protected virtual string? SourceFolder => null;

    /// <summary>See <see cref="DatabaseRequest.ExpectedLogBytes"/>.</summary>
    protected abstract long? ExpectedLogBytes { get; }

    /// <summary>Host processes beside this one.</summary>
    protected virtual int Hosts => 0;

    /// <summary>Connections beside those of hosts of workflows and of a load test's generator.</summary>
    protected virtual int Connections => 0;

    protected abstract Task MeasureAsync(SuiteRun suite, IMeasuredBackend backend, CancellationToken cancellationToken);

    /// <summary>What was measured, also when it ended early; null when nothing was.</summary>
    protected abstract TResult? Result();

    /// <summary>Writes the result and all reports.</summary>
    protected abstract void Write(RunFolder folder, RunResult run, TResult result);

    /// <summary>Prints the end of the test.</summary>
    protected abstract void Summarize(TextWriter console, TResult? result, RunResult run, RunFolder folder);

    /// <summary>Whether a result that is complete meets what was asked.</summary>
    protected abstract bool Holds(TResult result);

    /// <param name="output">Gets the result alone with <c>--json</c>, else everything.</param>
    /// <returns>One of <see cref="ExitCodes"/>.</returns>
    public async Task<int> RunAsync(
        TextWriter output,
        TextWriter error,
        DatabaseEnvironment environment,
        CancellationToken cancellationToken
    )
    {
        var console = Session.Json ? error : output;
        using var observer = Consoles.Observer(console);
        var options = new SuiteOptions
        {
            OutputRoot = Session.Output,
            Backends = Backend,
            Tier = Tier,
            Command = Command,
            KeepOperations = KeepsOperations,
        }.MeasuringSourcesIn(SourceFolder);
        using var session = await MeasuringSession.BeginAsync(options, observer, console, error, Session.LogLevel, cancellationToken);
        var suite = session.Suite;
        var adjust = BackendCatalog.From(Session.Source, ExpectedLogBytes, Hosts, Connections);
        var catalog = new BackendCatalog(session.Log.Loggers, environment, adjust);
        await session.MeasureAsync(token => MeasureAsync(suite, catalog.Source(Backend), token), cancellationToken);

        var run = suite.End();
        var result = Result();
        if (result is null)
            RunReports.Write(suite.Folder, run);
        else
            Write(suite.Folder, run, result);
        if (Session.Json && result is not null)
            await output.WriteAsync(await suite.Folder.ReadAsync(ResultFile));
        Summarize(console, result, run, suite.Folder);
        return cancellationToken.IsCancellationRequested ? ExitCodes.Cancelled : ExitCode(run, result);
    }

    private async Task MeasureAsync(SuiteRun suite, BackendSource source, CancellationToken cancellationToken)
    {
        if (await suite.ProvideAsync(source, cancellationToken) is BackendProvision.Provided { Backend: var backend })
        {
            await using (backend)
                await MeasureAsync(suite, backend, cancellationToken);
        }
    }

    private int ExitCode(RunResult run, TResult? result) =>
        result switch
        {
            // What was measured before it was broken off may hold; the test as a whole does not.
            _ when run.Status == RunStatus.Aborted => ExitCodes.Failed,
            null => ExitCodes.BackendUnavailable,
            _ => Holds(result) ? ExitCodes.Success : ExitCodes.Failed,
        };
}
