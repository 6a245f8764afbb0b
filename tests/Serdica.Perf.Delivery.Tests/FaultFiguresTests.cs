namespace Serdica.Perf.Delivery.Tests;

/// <summary>What docs/faults.md and the kept reports say of the kept runs under faults is what those runs have found.</summary>
public sealed partial class FaultFiguresTests : FolderTests
{
    private const string Document = "docs/faults.md";
    private const string Report = "faults.md";
    private const string ResultFile = "faults.json";

    private const string Repeated = "Attempts repeated after they had their effect";

    private static readonly string[] Lines = File.ReadAllLines(Repository.PathOf(Document));

    private static readonly int FirstRow = Array.FindIndex(Lines, line => line.StartsWith("| Verdict | PROVEN"));

    private static readonly string[] Folders =
    [
        .. Folder().Matches(Lines[FirstRow]).Select(name => $"TestResults/baselines/{name.Groups[1].Value}"),
    ];

    public static TheoryData<int> Runs => [.. Range(0, Folders.Length)];

    [Theory]
    [MemberData(nameof(Runs))]
    public async Task The_table_of_kept_runs_has_their_figures(int run)
    {
        var (result, column) = (await ResultAsync(run), run + 1);

        Assert.StartsWith(ShownFigures.Cells(Lines[FirstRow - 2])[column], (string)result["database"]!);
        Assert.Equal("held", (string)result["verdict"]!);
        Assert.StartsWith("PROVEN: ", Cell("Verdict", column));
        Shows("Faults", column, result["faults"]!.AsArray().Count);
        Shows("Faults", column, result["plan"]!["faults"]!.AsArray().Count);
        Shows("Calls of clients", column, (double)result["operations"]!);
        Shows("Lines of history", column, (double)result["lines"]!);
        var note = (string?)result["invariants"]!.AsArray().Single(invariant => (int)invariant!["number"]! == 8)!["note"];
        var repeated = Cell(Repeated, column);
        Assert.Equal(repeated == "0" ? null : $"{repeated} attempts were repeated after they had their effect.", note);
    }

    [Theory]
    [MemberData(nameof(Runs))]
    public async Task The_command_in_the_document_repeats_the_plan_of_the_run(int run)
    {
        var plan = (await ResultAsync(run))["plan"]!;
        var minutes = TimeSpan.Parse((string)plan["duration"]!, CultureInfo.InvariantCulture).TotalMinutes;

        var command = $"`serdica-perf faults --plan {(string)plan["name"]!} --duration {minutes}m --seed {(int)plan["seed"]!}`";

        Assert.Contains(Lines, line => line.StartsWith(command));
    }

    [Theory]
    [MemberData(nameof(Runs))]
    public async Task The_report_has_a_line_for_each_fault_and_each_invariant(int run)
    {
        var result = await ResultAsync(run);
        var commit = GitHistory.CommitNamedIn(Lines.Single(line => line.StartsWith("The reports are in ")));
        await GitHistory.ExtractAsync(commit, Folders[run], Root.Path);
        var rows = File.ReadLines(Root.Below(Path.Combine(Folders[run], Report))).Where(line => Row().IsMatch(line)).ToArray();

        var faults = result["faults"]!.AsArray().Select(fault => FaultRow(fault!));
        var invariants = result["invariants"]!.AsArray().Select(invariant => InvariantRow(invariant!));

        Assert.Equal([.. faults, .. invariants], rows.Select(row => string.Join(" | ", ShownFigures.Cells(row).Take(5))));
    }

    private async Task<JsonNode> ResultAsync(int run) =>
        KeptRun.Json(await GitHistory.KeptRunAsync(Repository.PathOf(Folders[run]), Root.Path), ResultFile);

    private static string FaultRow(JsonNode fault) =>
        Invariant($"{(string)fault["kind"]!} | {(string)fault["target"]!} | {(string)fault["evidence"]!} | ")
        + Invariant($"{(double)fault["at"]!:N1} | {(double)fault["lasted"]!:N1}");

    private static string InvariantRow(JsonNode invariant) =>
        Invariant($"{(int)invariant["number"]!} | {(string)invariant["name"]!} | {(string)invariant["verdict"]!} | ")
        + Invariant($"{(long)invariant["judged"]!:N0} | {(long)invariant["violations"]!:N0}");

    private static void Shows(string row, int column, double raw)
    {
        var shown = ShownFigures.Numbers(Cell(row, column));
        Assert.True(ShownFigures.Are(shown, [raw]), $"{row} is {Cell(row, column)}, and the raw figure is {raw}.");
    }

    private static string Cell(string row, int column) =>
        ShownFigures.Cells(Assert.Single(Lines[FirstRow..], line => line.StartsWith($"| {row} | ")))[column];

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Folder();

    /// <summary>A line of a table that is neither its heading nor the line below that.</summary>
    [GeneratedRegex(@"^\| (?!Fault |# )")]
    private static partial Regex Row();
}
