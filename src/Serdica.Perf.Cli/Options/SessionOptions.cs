namespace Serdica.Perf.Cli.Options;

/// <summary>Where a measurement finds its database and where its results go: the same for all commands that measure.</summary>
internal sealed class SessionOptions(Command command, string result)
{
    private readonly Option<DatabaseSourceKind?> _source = Source(command);
    private readonly Option<string?> _output = Output(command, "Where the run folder is written.");
    private readonly Option<LogLevel?> _logLevel = command.Word(
        "--log-level",
        "The lowest level that is logged, in run.log and next to the progress. Default information.",
        LogLevel.Debug,
        LogLevel.Information,
        LogLevel.Warning,
        LogLevel.Error
    );
    private readonly Option<bool> _json = Json(command, result);

    /// <summary>The arguments for each process of one measurement: what was typed, without what they do not share.</summary>
    public IReadOnlyList<string> ForProcesses(ParseResult parsed, params IEnumerable<Option> ofTheWhole)
    {
        var left = ofTheWhole
            .Concat([_output, _source, _json])
            .Select(parsed.GetResult)
            .OfType<OptionResult>()
            .SelectMany(option => option.Tokens.Prepend(option.IdentifierToken!))
            .ToArray();
        return [.. parsed.Tokens.Where(token => !left.Contains(token, ReferenceEqualityComparer.Instance)).Select(token => token.Value)];
    }

    public SessionRequest Read(ParseResult parsed) =>
        new(
            parsed.GetValue(_source),
            parsed.GetValue(_output) ?? RunFolder.DefaultRoot,
            parsed.GetValue(_logLevel) ?? LogLevel.Information,
            parsed.GetValue(_json)
        );

    public static Option<DatabaseSourceKind?> Source(Command command) =>
        command.Word(
            "--source",
            "Where databases come from. Default: the first of these that is available.",
            Enum.GetValues<DatabaseSourceKind>()
        );

    public static Option<string?> Output(Command command, string sentence) =>
        command.Text("--output", "DIR", $"{sentence} Default TestResults/workflow-performance.");

    public static Option<bool> Json(Command command, string result) =>
        command.Switch("--json", $"Prints only {result} on standard output. Progress goes to standard error.");

    public static Option<bool> KeepOperations(Command command) =>
        command.Switch(
            "--keep-operations",
            "Writes each operation to operations.ndjson in the run folder, about 130 bytes each. Default: histograms only."
        );
}

/// <summary>What <see cref="SessionOptions"/> were set to.</summary>
/// <param name="Source">Where the database comes from; null leaves the choice to the variables.</param>
/// <param name="Output">Where the run folder is written.</param>
/// <param name="Json">Whether the result alone goes to standard output.</param>
internal sealed record SessionRequest(DatabaseSourceKind? Source, string Output, LogLevel LogLevel, bool Json);
