namespace Serdica.Perf.Delivery.Tests;

/// <summary>The figures of load tests and queue tests in docs/figures.md are those of runs in the history, each rounded once.</summary>
public sealed class LoadFiguresTests : IAsyncLifetime
{
    private const string Document = "docs/figures.md";
    private const string Folder = "TestResults/baselines/2026-11-24-build-machine-6";
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

    public async ValueTask InitializeAsync()
    {
        foreach (var (name, file) in ((string, string)[])[(Fastest, RunFolder.LoadFile), (Queue, RunFolder.QueueFile)])
            _kept[name] = KeptRun.Json(await GitHistory.KeptRunAsync(Repository.PathOf($"{Folder}/{name}"), _history.Path), file);
    }

    public ValueTask DisposeAsync()
    {
        _history.Dispose();
        return ValueTask.CompletedTask;
    }

    [Fact]
    public void Each_row_has_the_raw_figures_rounded_once()
    {
        var rows = File.ReadLines(Repository.PathOf(Document)).Where(line => line.StartsWith('|')).ToList();

        EachItem.Holds(Rows, figures =>
        {
            var test = _kept[figures.Key];
            var command = Word(test, "command")["serdica-perf ".Length..];
            var row = Assert.Single(rows, line => line.StartsWith($"| `{command}`"));
            Shows(row, row[$"| `{command}`".Length..], figures.Value(test));
            Assert.Equal("passed", Word(test, "verdict"));
        });
    }

    [Fact]
    public void Every_load_test_and_queue_test_that_is_kept_or_shown_is_checked()
    {
        var shown = File.ReadLines(Repository.PathOf(Document))
            .Count(line => line.StartsWith("| `load ") || line.StartsWith("| `queue "));

        var kept = Directory
            .EnumerateDirectories(Repository.PathOf("TestResults/baselines"), "*", SearchOption.AllDirectories)
            .Where(folder =>
                File.Exists(Path.Combine(folder, RunFolder.LoadReportFile)) || File.Exists(Path.Combine(folder, RunFolder.QueueReportFile))
            );
        Assert.Equal(Rows.Count, shown);
        Assert.Empty(kept.Select(folder => Path.GetFileName(folder)).Except(Rows.Keys));
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
            [written, Figure(queue, "plan", "writers"), Figure(queue, "endToEnd", "p50Ms"), Figure(queue, "endToEnd", "p99Ms")]
        );
        Row("PostgreSQL as a queue", 5, [written / 2]);
    }

    private static void Row(string start, int column, double[] raw)
    {
        var lines = File.ReadLines(Repository.PathOf(Document));
        var line = Assert.Single(lines, line => line.StartsWith($"| {start}"));
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

    private static JsonNode[] Steps(JsonNode test) => [.. test["steps"]!.AsArray().Select(step => step!)];

    private static double[] ReadersAndKibibytes(JsonNode test) =>
        [Figure(test, "plan", "readers"), Figure(test, "plan", "payloadBytes") / 1_024];

    private static double Figure(JsonNode node, params string[] path) =>
        (double)path.Aggregate(node, (inner, name) => inner[name] ?? throw new InvalidDataException($"There is no {name}."));

    private static string Word(JsonNode node, string name) => (string)node[name]!;
}
