using System.CommandLine.Help;
using Serdica.Perf.Cli.Commands;
using Serdica.Perf.Cli.Commands.Faults;
using Serdica.Perf.Cli.Commands.Load;
using Serdica.Perf.Cli.Commands.Queue;
using Serdica.Perf.Cli.Commands.Quick;
using Serdica.Perf.Cli.Commands.Run;

namespace Serdica.Perf.Cli;

/// <summary>The commands, and the answers to mistakes in typing. Tests pass writers of their own.</summary>
internal sealed class CommandLineApplication
{
    /// <summary>Long enough to stop a server and to drop a schema after Ctrl-C.</summary>
    private static readonly TimeSpan ShutdownLimit = FromSeconds(60);

    private readonly TextWriter _output;
    private readonly TextWriter _error;
    private readonly DatabaseEnvironment _environment;

    /// <param name="environment">The variables of the process; those of this one when it is <see langword="null"/>.</param>
    public CommandLineApplication(TextWriter output, TextWriter error, DatabaseEnvironment? environment = null)
    {
        // Progress, logs and results come from several threads. The console's own writer is synchronized and stays the same one.
        _output = TextWriter.Synchronized(output);
        _error = TextWriter.Synchronized(error);
        _environment = environment ?? DatabaseEnvironment.Current;
    }

    /// <value>The program that measures for commands such as <c>ab</c>.</value>
    public MeasuringProgram Program { get; init; } = MeasuringProgram.Here;

    /// <returns>One of <see cref="ExitCodes"/>.</returns>
    public async Task<int> RunAsync(IReadOnlyList<string> args, CancellationToken cancellationToken = default)
    {
        var parsed = Root().Parse(args);
        // Help is asked for without the arguments that the command requires, but not of a command that does not exist.
        if ((parsed.Action is not HelpWithExamples || parsed.UnmatchedTokens.Count > 0) && UsageText.Sentence(parsed) is { } mistake)
        {
            await _error.WriteLineAsync(mistake);
            return ExitCodes.Usage;
        }

        try
        {
            return await parsed.InvokeAsync(
                new InvocationConfiguration
                {
                    Output = _output,
                    Error = _error,
                    EnableDefaultExceptionHandler = false,
                    ProcessTerminationTimeout = ShutdownLimit,
                },
                cancellationToken
            );
        }
        catch (Exception e) when (IsRefusal(e))
        {
            await _error.WriteLineAsync(e.Message);
            return ExitCodes.Usage;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            await _error.WriteLineAsync($"A file or folder cannot be read or written: {e.Message}");
            return ExitCodes.Failed;
        }
        catch (OperationCanceledException)
        {
            await _error.WriteLineAsync("Stopped by the user.");
            return ExitCodes.Cancelled;
        }
    }

    /// <summary>Whether the request cannot be carried out as typed; the message says what to type instead.</summary>
    private static bool IsRefusal(Exception error) =>
        error
            is UsageException
                or BaselineException
                or GateException
                or HistoryException
                or LoadProfileException
                or EnvironmentVariableException;

    /// <summary>All commands; internal for the tests of their help.</summary>
    internal RootCommand Root()
    {
        var root = new RootCommand("Measures durable workflows on databases and verifies every result.")
        {
            new QuickCommand(_output, _error, _environment).Command,
            new ListCommand(_output).Command,
            new DoctorCommand(_output, _error, _environment).Command,
            new RunCommand(_output, _error, _environment).Command,
            new LoadCommand(_output, _error, _environment).Command,
            new QueueCommand(_output, _error, _environment).Command,
            new SizeCommand(_output).Command,
            new BaselineCommand(_output).Command,
            new CompareCommand(_output, TimeProvider.System).Command,
            new AbCommand(_output, _error, _environment, TimeProvider.System, Program).Command,
            new FloorCommand(_output, _error, _environment, TimeProvider.System, Program).Command,
            new BackendsCommand(_output).Command,
            new HistoryCommand(_output).Command,
            new TrendCommand(_output).Command,
            new ReportCommand(_output, _error).Command,
            new ServeCommand(_output).Command,
            new InitCommand(_output, _error).Command,
            new WorkerCommand(_output, _error, _environment).Command,
            new DeadLettersCommand(_output, _error, _environment).Command,
            new LeftoversCommand(_output, _error, _environment, TimeProvider.System).Command,
            new FaultsCommand(_output, _error, _environment).Command,
            new CheckHistoryCommand(_output).Command,
        };
        foreach (var option in root.Options.OfType<HelpOption>())
            option.Action = new HelpWithExamples((HelpAction)option.Action!);
        return root;
    }
}
