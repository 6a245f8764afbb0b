using System.CommandLine;
using System.CommandLine.Help;
using Serdica.Perf.Analysis.Gates;
using Serdica.Perf.Analysis.History;
using Serdica.Perf.Cli.Commands;
using Serdica.Perf.Cli.Commands.Load;
using Serdica.Perf.Cli.Commands.Queue;
using Serdica.Perf.Cli.Options;
using Serdica.Perf.Databases;
using Serdica.Perf.Results.Folders;
using Serdica.Perf.Results.Machine;
using Serdica.Perf.Results.Profiles;

namespace Serdica.Perf.Cli;

/// <summary>The commands, and the answers to mistakes in typing. Tests pass writers of their own.</summary>
public sealed class CommandLineApplication(TextWriter output, TextWriter error, DatabaseEnvironment? environment = null)
{
    /// <summary>Long enough to stop a server and to drop a schema after Ctrl-C.</summary>
    private static readonly TimeSpan ShutdownLimit = TimeSpan.FromSeconds(60);

    private readonly DatabaseEnvironment _environment = environment ?? DatabaseEnvironment.Current;

    /// <returns>One of <see cref="ExitCodes"/>.</returns>
    public async Task<int> RunAsync(IReadOnlyList<string> args, CancellationToken cancellationToken = default)
    {
        var parsed = Root().Parse(args);
        // Help is asked for without the arguments that the command requires.
        if (parsed.Errors.Count > 0 && parsed.Action is not HelpWithExamples)
        {
            await error.WriteLineAsync(UsageText.Sentence(parsed)).ConfigureAwait(false);
            return ExitCodes.Usage;
        }

        try
        {
            return await parsed.InvokeAsync(
                new InvocationConfiguration
                {
                    Output = output,
                    Error = error,
                    EnableDefaultExceptionHandler = false,
                    ProcessTerminationTimeout = ShutdownLimit,
                },
                cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (IsRefusal(e))
        {
            await error.WriteLineAsync(e.Message).ConfigureAwait(false);
            return ExitCodes.Usage;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            await error.WriteLineAsync($"A file or folder cannot be read or written: {e.Message}").ConfigureAwait(false);
            return ExitCodes.Failed;
        }
    }

    /// <summary>Whether the request cannot be carried out as typed; the message says what to type instead.</summary>
    private static bool IsRefusal(Exception error) =>
        error is UsageException or BaselineException or GateException or HistoryException or LoadProfileException or EnvironmentVariableException;

    /// <summary>All commands; internal for the tests of their help.</summary>
    internal RootCommand Root()
    {
        var root = new RootCommand("Measures durable workflows on databases and verifies every result.")
        {
            new ListCommand(output).Command,
            new DoctorCommand(output, error, _environment).Command,
            new RunCommand(output, error, _environment).Command,
            new LoadCommand(output, error, _environment).Command,
            new QueueCommand(output, error, _environment).Command,
            new SizeCommand(output).Command,
            new BaselineCommand(output).Command,
            new CompareCommand(output, TimeProvider.System).Command,
            new AbCommand(output, error, _environment, TimeProvider.System).Command,
            new FloorCommand(output, error, _environment, TimeProvider.System).Command,
            new BackendsCommand(output).Command,
            new HistoryCommand(output).Command,
            new TrendCommand(output).Command,
            new ReportCommand(output, error).Command,
            new ServeCommand(output).Command,
            new InitCommand(output).Command,
            new DeadLettersCommand(output, error, _environment).Command,
        };
        foreach (var option in root.Options.OfType<HelpOption>())
            option.Action = new HelpWithExamples((HelpAction)option.Action!, output);
        return root;
    }
}
