using System.CommandLine;
using System.Globalization;
using Serdica.Perf.Analysis.Floors;
using Serdica.Perf.Cli.Floors;
using Serdica.Perf.Cli.Measuring;
using Serdica.Perf.Cli.Options;
using Serdica.Perf.Databases;
using Serdica.Perf.Databases.Sources;
using Serdica.Perf.Reports.Markdown;
using Serdica.Perf.Results.Folders;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Cli.Commands;

/// <summary>`floor`: raw SQL and the engine in turn, which separates the machine from the engine.</summary>
internal sealed class FloorCommand
{
    private const int DefaultBlocks = 3;
    private const int MaxBlocks = 100;
    private const int MaxCallers = 1_024;
    private const string Program = "pgbench";
    private static readonly int[] DefaultCallers = [1, 16, 64, 256];
    private static readonly TimeSpan DefaultDuration = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan LongestDuration = TimeSpan.FromMinutes(10);

    private readonly TextWriter _output;
    private readonly TextWriter _error;
    private readonly DatabaseEnvironment _environment;
    private readonly TimeProvider _time;
    private readonly Func<string, string?> _findProgram;
    private readonly Option<int[]?> _callers = new("--callers")
    {
        HelpName = "N[,N...]",
        Description = $"Numbers of callers, comma-separated. Raw SQL has a connection for each, {PgBench.MostConnections} at most. "
            + $"Default {string.Join(',', DefaultCallers)}.",
        CustomParser = result =>
        {
            var text = result.Tokens[0].Value;
            if (ParseCallers(text) is { } callers)
                return callers;
            result.AddError(string.Create(
                CultureInfo.InvariantCulture,
                $"--callers is '{text}'; it must be comma-separated whole numbers from 1 to {MaxCallers:N0}, each given once."));
            return null;
        },
    };

    private readonly Option<int?> _blocks = NumberOption.Create(
        "--blocks",
        $"Blocks of four measurements for each number of callers: floor, engine, engine, floor. Default {DefaultBlocks}.",
        1, MaxBlocks);

    private readonly Option<TimeSpan?> _duration = DurationText.Option(
        "--duration", "The duration of each measurement, from 1s to 10m. The engine measures for about this time. Default 5s.");

    private readonly Option<DatabaseSourceKind?> _source = RunOptionSet.SourceOption();
    private readonly Option<string?> _folder = new("--output")
    {
        HelpName = "DIR",
        Description = $"Where the folder with {FloorFolder.ReportFile}, {FloorFolder.ResultFile} and the runs is written. "
            + "Default TestResults/workflow-performance.",
    };

    private readonly Option<bool> _json = new("--json")
    {
        Description = $"Prints only {FloorFolder.ResultFile} on standard output. Progress goes to standard error.",
    };

    /// <param name="output">Gets progress and result.</param>
    /// <param name="error">Gets errors, and progress beside JSON.</param>
    /// <param name="environment">Names the server, or where it comes from.</param>
    /// <param name="time">For the times in the result.</param>
    /// <param name="findProgram">Finds a program of PostgreSQL; null for the search on this machine.</param>
    public FloorCommand(
        TextWriter output, TextWriter error, DatabaseEnvironment environment, TimeProvider time, Func<string, string?>? findProgram = null)
    {
        (_output, _error, _environment, _time) = (output, error, environment, time);
        _findProgram = findProgram ?? PostgreSqlServers.FindProgram;
        Command = new("floor", "Measures raw SQL and the engine in turn on one PostgreSQL, to separate the machine from the engine.")
        {
            _callers, _blocks, _duration, _source, _folder, _json,
        };
        Command.SetAction((parsed, cancellationToken) => RunAsync(Read(parsed), RunCommand.CommandText(parsed), cancellationToken));
    }

    public Command Command { get; }

    /// <exception cref="UsageException">The duration is too long.</exception>
    private FloorRequest Read(ParseResult parsed)
    {
        var duration = parsed.GetValue(_duration) ?? DefaultDuration;
        if (duration > LongestDuration)
            throw new UsageException("--duration is the time of one measurement, 10m at most; measure more --blocks for more certainty.");
        return new()
        {
            Callers = parsed.GetValue(_callers) ?? DefaultCallers,
            Blocks = parsed.GetValue(_blocks) ?? DefaultBlocks,
            Duration = duration,
            Source = parsed.GetValue(_source),
            Output = parsed.GetValue(_folder) ?? RunFolder.DefaultRoot,
            Json = parsed.GetValue(_json),
        };
    }

    private async Task<int> RunAsync(FloorRequest request, string command, CancellationToken cancellationToken)
    {
        if (_findProgram(Program) is not { } program)
        {
            await _error.WriteLineAsync(
                $"There is no {Program} on PATH or where PostgreSQL is installed, and raw SQL is measured with it. It comes with PostgreSQL's "
                + "server package: on Debian and Ubuntu 'apt-get install postgresql', on Red Hat 'dnf install postgresql-contrib'.").ConfigureAwait(false);
            return ExitCodes.BackendUnavailable;
        }

        // With --json the output belongs to the result alone.
        var console = request.Json ? _error : _output;
        var folder = FloorFolder.Create(request.Output, new()
        {
            Status = RunStatus.Aborted,
            StatusReason = "It has not ended: it is under way, or was killed.",
            StartedAt = _time.GetUtcNow(),
            Command = command,
        });
        var exitCode = await MeasureAsync(new(request, _environment, program, folder, _time, console.WriteLine), folder, cancellationToken)
            .ConfigureAwait(false);
        if (request.Json)
            await _output.WriteAsync(FloorFolder.Text(folder.Result)).ConfigureAwait(false);
        FloorMarkdown.WriteTable(console, folder.Result);
        console.WriteLine($"Folder: {Path.GetRelativePath(Directory.GetCurrentDirectory(), folder.Path)}");
        return exitCode;
    }

    private async Task<int> MeasureAsync(FloorSession session, FloorFolder folder, CancellationToken cancellationToken)
    {
        var (exitCode, status, reason) = (ExitCodes.Success, RunStatus.Passed, (string?)null);
        try
        {
            await session.MeasureAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (MeasuringException error)
        {
            (exitCode, status, reason) = (error.ExitCode, RunStatus.Failed, error.Message);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            (exitCode, status, reason) = (ExitCodes.Cancelled, RunStatus.Aborted, "Stopped by the user before its end.");
        }

        folder.Update(result => result with { Status = status, StatusReason = reason, FinishedAt = _time.GetUtcNow() });
        if (reason is not null)
            await _error.WriteLineAsync(reason).ConfigureAwait(false);
        return exitCode;
    }

    private static int[]? ParseCallers(string text)
    {
        var callers = text.Split(',')
            .Select(part => int.TryParse(part, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number is >= 1 and <= MaxCallers ? number : 0)
            .ToArray();
        return callers.Contains(0) || callers.Distinct().Count() < callers.Length ? null : callers;
    }
}
