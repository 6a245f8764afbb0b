using System.CommandLine;
using Serdica.Perf.Backends;
using Serdica.Perf.Cli.Options;
using Serdica.Perf.Cli.Output;
using Serdica.Perf.Databases;

namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>`load`: drives a workflow at a rate and reports whether the rate was held, the latency, and what limits it.</summary>
internal sealed class LoadCommand
{
    private readonly TextWriter _output;
    private readonly TextWriter _error;
    private readonly DatabaseEnvironment _environment;
    private readonly LoadOptionSet _options;

    public LoadCommand(TextWriter output, TextWriter error, DatabaseEnvironment environment)
    {
        (_output, _error, _environment) = (output, error, environment);
        Command = new("load", "Drives a workflow at a rate, in steps or with callers, and judges each step.");
        _options = new(Command);
        Command.SetAction(RunAsync);
    }

    public Command Command { get; }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellationToken)
    {
        var request = _options.Read(parsed);
        await CheckAsync(request).ConfigureAwait(false);
        if (request.DryRun)
        {
            LoadPlan.Write(request.Session.Json ? _error : _output, request.Profile, request.Backend);
            return ExitCodes.Success;
        }

        using var one = request.Generator is null ? null : new OneOfTheGenerators(Console.In, cancellationToken);
        var test = new LoadTestRun(request, _options.ForGenerators(parsed), one)
        {
            Command = RunCommand.CommandText(parsed),
            Session = request.Session,
        };
        return await test.RunAsync(_output, _error, _environment, one?.Token ?? cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Checks the request before anything starts. The work of a scenario is checked on a store in memory, whatever the
    /// backend.
    /// </summary>
    private static async Task CheckAsync(LoadRequest request)
    {
        var store = new InMemoryStore();
        await using (store.ConfigureAwait(false))
            await request.Work.CheckAsync(request.OwnProfile, store).ConfigureAwait(false);
    }
}
