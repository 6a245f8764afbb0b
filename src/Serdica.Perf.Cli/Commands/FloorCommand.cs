using Serdica.Perf.Cli.Floors;
using Serdica.Perf.Databases.PostgreSql.Installed;

namespace Serdica.Perf.Cli.Commands;

/// <summary>`floor`: raw SQL and the engine in turn, which separates the machine from the engine.</summary>
internal sealed class FloorCommand
{
    private const string Examples = """
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
        """;

    private const string Program = "pgbench";

    private readonly TextWriter _output;
    private readonly TextWriter _error;
    private readonly DatabaseEnvironment _environment;
    private readonly TimeProvider _time;
    private readonly MeasuringProgram _program;
    private readonly Func<string, string?> _findProgram;
    private readonly FloorOptionSet _options;

    /// <param name="findProgram">Finds a program of PostgreSQL; null for the search on this machine.</param>
    public FloorCommand(
        TextWriter output,
        TextWriter error,
        DatabaseEnvironment environment,
        TimeProvider time,
        MeasuringProgram program,
        Func<string, string?>? findProgram = null
    )
    {
        (_output, _error, _environment, _time, _program) = (output, error, environment, time, program);
        _findProgram = findProgram ?? PostgreSqlBinarySearch.OnThisMachine().FindProgram;
        Command = new DocumentedCommand(
            "floor",
            "Measures raw SQL and the engine in turn on one PostgreSQL, to separate the machine from the engine.",
            Examples
        );
        _options = new(Command);
        Command.SetAction((parsed, cancellationToken) => RunAsync(_options.Read(parsed), CommandText.Of(parsed), cancellationToken));
    }

    public Command Command { get; }

    private async Task<int> RunAsync(FloorRequest request, string command, CancellationToken cancellationToken)
    {
        if (_findProgram(Program) is not { } program)
        {
            await _error.WriteLineAsync(
                $"There is no {Program} on PATH or where PostgreSQL is installed, and raw SQL is measured with it. "
                    + "It comes with PostgreSQL's server package: on Debian and Ubuntu 'apt-get install postgresql', "
                    + "on Red Hat 'dnf install postgresql-contrib'."
            );
            return ExitCodes.BackendUnavailable;
        }

        // With --json the output belongs to the result alone.
        var console = request.Json ? _error : _output;
        var folder = FloorFolder.Create(
            request.Output,
            new()
            {
                Status = RunStatus.Aborted,
                StatusReason = "Not finished: still running, or killed.",
                StartedAt = _time.GetUtcNow(),
                Command = command,
            }
        );
        using var log = RunLog.ToConsole(console, _error);
        var session = new FloorSession(
            request,
            _environment,
            _program,
            program,
            folder,
            log.Loggers.CreateLogger(nameof(FloorCommand)),
            _time,
            console.WriteLine
        );
        var (exitCode, status, reason) = await MeasureAsync(session, cancellationToken);
        if (reason is not null)
            await _error.WriteLineAsync(reason);
        FloorMarkdown.WriteTable(console, folder.Result);
        console.WriteLine($"Folder: {RunPlace.Relative(folder.Path)}");

        // After the table, which must not be lost with a file.
        folder.Update(result => result with { Status = status, StatusReason = reason, FinishedAt = _time.GetUtcNow() });
        if (request.Json)
            await _output.WriteAsync(FloorFolder.Text(folder.Result));
        return exitCode;
    }

    private static async Task<(int ExitCode, RunStatus Status, string? Reason)> MeasureAsync(
        FloorSession session,
        CancellationToken cancellationToken
    )
    {
        try
        {
            await session.MeasureAsync(cancellationToken);
            return (ExitCodes.Success, RunStatus.Passed, null);
        }
        catch (MeasuringException error)
        {
            return (error.ExitCode, RunStatus.Failed, error.Message);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            return (ExitCodes.Cancelled, RunStatus.Aborted, "Stopped by the user.");
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return (ExitCodes.Failed, RunStatus.Failed, $"A file cannot be written: {error.Message}");
        }
    }
}
