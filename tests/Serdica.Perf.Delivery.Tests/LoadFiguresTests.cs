using System.Text.Json.Nodes;
using Serdica.Perf.Results.Folders;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>The figures of load tests and queue tests in docs/figures.md are those of the kept runs, each rounded once.</summary>
public sealed class LoadFiguresTests
{
    private const string Document = "docs/figures.md";
    private const string Fastest = "postgresql-load-pg-queue";
    private const string Queue = "postgresql-queue";

    /// <summary>The numbers of a line about a kept run, in their order.</summary>
    private static readonly Dictionary<string, Func<JsonNode, double[]>> Rows = new()
    {
        [Fastest] = test =>
        {
            var step = Assert.Single(Steps(test));
            return [Figure(step, "completedPerSecond"), Figure(step, "targetPerSecond"), Figure(step, "response", "p99Ms")];
        },
        [Queue] = test =>
        {
            Assert.Equal((0.0, 0.0), (Figure(test, "lost"), Figure(test, "duplicates")));
            return
            [
                Figure(test, "plan", "writers"),
                .. ReadersAndKibibytes(test),
                Figure(test, "writtenPerSecond"),
                Figure(test, "writtenMebibytesPerSecond"),
                Figure(test, "write", "p50Ms"),
                Figure(test, "write", "p99Ms"),
                Figure(test, "endToEnd", "p50Ms"),
                Figure(test, "endToEnd", "p95Ms"),
                Figure(test, "endToEnd", "p99Ms"),
            ];
        },
    };

    public static TheoryData<string, string> Tests =>
        new()
        {
            { RunFolder.LoadReportFile, RunFolder.LoadFile },
            { RunFolder.QueueReportFile, RunFolder.QueueFile },
        };

    [Theory]
    [MemberData(nameof(Tests))]
    public void Each_row_has_the_raw_figures_rounded_once(string report, string file)
    {
        var rows = File.ReadLines(Repository.PathOf(Document))
            .Where(line => line.StartsWith('|'))
            .SelectMany(line => KeptRun.Cited(Document, line, report).Select(folder => (Line: line, Folder: folder)));

        EachItem.Holds(
            rows,
            row =>
            {
                var test = KeptRun.Json(row.Folder, file);
                Shows(row.Line, row.Line, Rows[Path.GetFileName(row.Folder)](test));
                Assert.Equal("passed", Word(test, "verdict"));
                Assert.Contains($"[`{Word(test, "command")["serdica-perf ".Length..]}`]", row.Line, StringComparison.Ordinal);
            }
        );
    }

    [Fact]
    public void Every_kept_load_test_and_queue_test_has_its_row()
    {
        var lines = File.ReadAllLines(Repository.PathOf(Document));

        var cited = new[] { RunFolder.LoadReportFile, RunFolder.QueueReportFile }.SelectMany(report =>
            lines.SelectMany(line => KeptRun.Cited(Document, line, report))
        );

        var kept = Directory
            .EnumerateDirectories(Repository.PathOf("TestResults/baselines"), "*", SearchOption.AllDirectories)
            .Where(folder => JsonFile.Exists(folder, RunFolder.LoadFile) || JsonFile.Exists(folder, RunFolder.QueueFile));
        Assert.Equal(Rows.Keys.Order(), kept.Select(folder => Path.GetFileName(folder)).Order());
        Assert.Equal(Rows.Keys.Order(), cited.Select(folder => Path.GetFileName(folder)).Order());
    }

    [Fact]
    public void Tables_that_compare_with_others_repeat_the_same_figures()
    {
        var (fastest, queue) = (Assert.Single(Steps(Load(Fastest))), KeptRun.Json(FolderOf(Queue), RunFolder.QueueFile));
        var (highest, written) = (Figure(fastest, "completedPerSecond"), Figure(queue, "writtenPerSecond"));

        Row("Temporal on Aurora DSQL", 4, [highest, Figure(fastest, "response", "p99Ms")]);
        Row("Temporal on Aurora DSQL", 5, [highest / 2]);
        Row(
            "PostgreSQL as a queue",
            4,
            [
                written,
                Figure(queue, "plan", "writers"),
                Figure(queue, "endToEnd", "p50Ms"),
                Figure(queue, "endToEnd", "p99Ms"),
            ]
        );
        Row("PostgreSQL as a queue", 5, [written / 2]);
    }

    private static void Row(string start, int column, double[] raw)
    {
        var lines = File.ReadLines(Repository.PathOf(Document));
        var line = Assert.Single(lines, line => line.StartsWith($"| {start}", StringComparison.Ordinal));
        Shows(line, ShownFigures.Cells(line)[column], raw);
    }

    private static void Shows(string line, string text, double[] raw)
    {
        var shown = ShownFigures.Numbers(text);
        Assert.True(
            ShownFigures.Are(shown, raw),
            $"{line}\nhas {string.Join(" ", shown)}, and the raw figures are {string.Join(" ", raw)}."
        );
    }

    private static JsonNode Load(string name) => KeptRun.Json(FolderOf(name), RunFolder.LoadFile);

    private static string FolderOf(string name) =>
        Assert.Single(Directory.GetDirectories(Repository.PathOf("TestResults/baselines"), name, SearchOption.AllDirectories));

    private static JsonNode[] Steps(JsonNode test) => [.. test["steps"]!.AsArray().Select(step => step!)];

    private static double[] ReadersAndKibibytes(JsonNode test) =>
        [Figure(test, "plan", "readers"), Figure(test, "plan", "payloadBytes") / 1_024];

    private static double Figure(JsonNode node, params string[] path) =>
        (double)path.Aggregate(node, (inner, name) => inner[name] ?? throw new InvalidDataException($"There is no {name}."));

    private static string Word(JsonNode node, string name) => (string)node[name]!;
}
