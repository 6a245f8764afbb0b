using Serdica.Perf.Results.Folders;
using Serilog;
using Serilog.Core;
using Serilog.Extensions.Logging;
using Serilog.Formatting.Json;

namespace Serdica.Perf.Backends.Logging;

/// <summary>
/// The log of one run: everything from a level on as JSON lines in the run folder. What the parts log goes to the
/// console as well; what the run itself logs is there already, as its progress. Nothing is logged for single operations.
/// </summary>
internal sealed class RunLog : IDisposable
{
    public const string FileName = "run.log";

    private readonly Logger _logger;

    private RunLog(Logger logger)
    {
        _logger = logger;
        Loggers = new SerilogLoggerFactory(logger);
    }

    /// <summary>For the parts that log; they write into the same file.</summary>
    public ILoggerFactory Loggers { get; }

    public static RunLog Create(RunFolder folder, TextWriter information, TextWriter warnings, LogLevel level = LogLevel.Information) =>
        new(
            new LoggerConfiguration()
                .MinimumLevel.Is(LevelConvert.ToSerilogLevel(level))
                .WriteTo.File(new ScrubbingFormatter(new JsonFormatter(renderMessage: true)), Path.Combine(folder.Path, FileName))
                .WriteTo.Sink(new ConsoleSink(information, warnings))
                .CreateLogger()
        );

    /// <summary>For a process that has no run folder: warnings and errors of the parts, on the console alone.</summary>
    public static RunLog ToConsole(TextWriter warnings) =>
        new(new LoggerConfiguration().MinimumLevel.Warning().WriteTo.Sink(new ConsoleSink(TextWriter.Null, warnings)).CreateLogger());

    /// <summary>For a command that starts servers for other processes: what the parts log, on the console alone.</summary>
    public static RunLog ToConsole(TextWriter information, TextWriter warnings) =>
        new(new LoggerConfiguration().WriteTo.Sink(new ConsoleSink(information, warnings)).CreateLogger());

    public void RunStarted(string command) => _logger.Information("The run has started: {Command}", command);

    public void ScenarioEnded(ScenarioResult result) =>
        _logger.Information(
            "{Scenario} (repeat {Repeat}) {Status}: {Completed} of {Operations} operations in {DurationMs} ms, "
                + "{PerSecond} per second, {Reasons}",
            result.Name,
            result.Parameters.Repeat,
            result.Status,
            result.Counts.Completed,
            result.Parameters.Operations,
            result.DurationMs,
            result.ThroughputPerSecond,
            result.FailureReasons
        );

    public void RunBroken(Exception error) => _logger.Error(error, "The run could not continue");

    public void Dispose()
    {
        Loggers.Dispose();
        _logger.Dispose();
    }
}
