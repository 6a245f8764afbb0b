using System.Text.Json.Nodes;
using Serdica.Perf.Results.Folders;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>The figures of load tests and queue tests in docs/figures.md are those of the kept runs, each rounded once.</summary>
public sealed class LoadFiguresTests : IAsyncLifetime
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

    private readonly TemporaryFolder _history = new();
    private readonly Dictionary<string, JsonNode> _kept = [];

    public static TheoryData<string> Reports => [RunFolder.LoadReportFile, RunFolder.QueueReportFile];

    public async ValueTask InitializeAsync()
    {
        foreach (var (name, file) in ((string, string)[])[(Fastest, RunFolder.LoadFile), (Queue, RunFolder.QueueFile)])
            _kept[name] = KeptRun.Json(await GitHistory.KeptRunAsync(FolderOf(name), _history.Path), file);
    }

    public ValueTask DisposeAsync()
    {
        _history.Dispose();
        return ValueTask.CompletedTask;
    }

    [Theory]
    [MemberData(nameof(Reports))]
    public void Each_row_has_the_raw_figures_rounded_once(string report)
    {
        var rows = File.ReadLines(Repository.PathOf(Document))
            .Where(line => line.StartsWith('|'))
            .SelectMany(line => KeptRun.Cited(Document, line, report).Select(folder => (Line: line, Folder: folder)));

        EachItem.Holds(
            rows,
            row =>
            {
                var name = Path.GetFileName(row.Folder);
                var test = _kept[name];
                Shows(row.Line, row.Line, Rows[name](test));
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
            .Where(folder =>
                File.Exists(Path.Combine(folder, RunFolder.LoadReportFile)) || File.Exists(Path.Combine(folder, RunFolder.QueueReportFile))
            );
        Assert.Equal(Rows.Keys.Order(), kept.Select(folder => Path.GetFileName(folder)).Order());
        Assert.Equal(Rows.Keys.Order(), cited.Select(folder => Path.GetFileName(folder)).Order());
    }

    [Fact]
    public void Tables_that_compare_with_others_repeat_the_same_figures()
    {
        var (fastest, queue) = (Assert.Single(Steps(_kept[Fastest])), _kept[Queue]);
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

    private static string FolderOf(string name) =>
        Assert.Single(Directory.GetDirectories(Repository.PathOf("TestResults/baselines"), name, SearchOption.AllDirectories));

    private static JsonNode[] Steps(JsonNode test) => [.. test["steps"]!.AsArray().Select(step => step!)];

    private static double[] ReadersAndKibibytes(JsonNode test) =>
        [Figure(test, "plan", "readers"), Figure(test, "plan", "payloadBytes") / 1_024];

    private static double Figure(JsonNode node, params string[] path) =>
        (double)path.Aggregate(node, (inner, name) => inner[name] ?? throw new InvalidDataException($"There is no {name}."));

    private static string Word(JsonNode node, string name) => (string)node[name]!;
}
