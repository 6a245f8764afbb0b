using Serdica.Perf.Analysis.Limits;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>
/// The table that checks the diagnosis of limits has the figures of its kept runs, and today's rules still give their verdicts.
/// </summary>
public sealed partial class LimitFiguresTests : IAsyncLifetime
{
    private const string Document = "docs/reading-results.md";
    private const string Kept = "TestResults/baselines/2026-11-24-build-machine-6/limits";
    private const int VerdictColumn = 1;
    private const int RateColumn = 2;

    private static readonly (string Line, string[] Runs)[] Rows =
    [
        .. File.ReadLines(Repository.PathOf(Document))
            .Where(line => line.StartsWith('|'))
            .Select(line => (line, NameOfRun().Matches(line).Select(name => name.Groups[1].Value).ToArray()))
            .Where(row => row.Item2.Length > 0),
    ];

    private readonly TemporaryFolder _history = new();

    public async ValueTask InitializeAsync()
    {
        await GitHistory.RequireAsync();
        var kept = File.ReadLines(Repository.PathOf(Document)).Single(line => line.Contains($"`{Kept}`"));
        await GitHistory.ExtractAsync(GitHistory.CommitNamedIn(kept), Kept, _history.Path);
    }

    public ValueTask DisposeAsync()
    {
        _history.Dispose();
        return ValueTask.CompletedTask;
    }

    [Fact]
    public void Each_row_has_the_rates_and_the_verdict_of_its_runs() => EachItem.Holds(Rows, row =>
        {
            var cells = ShownFigures.Cells(row.Line);
            var measured = row.Runs.Select(run => Assert.Single(KeptRun.Measured(FolderOf(run))));
            var shown = ShownFigures.Numbers(cells[RateColumn]);
            Assert.True(ShownFigures.Are(shown, [.. measured.Select(scenario => scenario.ThroughputPerSecond!.Value)]), row.Line);

            EachItem.Holds(row.Runs.Select(run => BaselineReader.Read(FolderOf(run))), run =>
                Assert.StartsWith(LimitFinding.Words(Assert.Single(LimitAnalysis.Of(run)).Limit), cells[VerdictColumn])
            );
        });

    /// <summary>A run that is kept as evidence and not cited is evidence that nobody sees.</summary>
    [Fact]
    public void Every_run_that_was_kept_for_it_is_in_the_table() =>
        Assert.Equal(Directory.GetDirectories(FolderOf("")).Select(Path.GetFileName).Order(), Rows.SelectMany(row => row.Runs).Order());

    /// <summary>What was said to be the limit moved the rate when it was given more; what was not, did not.</summary>
    [Theory]
    [InlineData("large-state-1-core", "large-state-2-cores", 1.15, 1.5)]
    [InlineData("disk-300", "disk-600", 1.8, 2.2)]
    [InlineData("disk-300-1-core", "disk-300-2-cores", 0.9, 1.1)]
    [InlineData("callers-256-1-core", "callers-256-2-cores", 0.9, 1.1)]
    public void The_rate_follows_what_was_said_to_limit_it(string before, string after, double least, double most) =>
        Assert.InRange(Rate(after) / Rate(before), least, most);

    /// <summary>The mean rate of the runs under one condition, whose names end in a number of one digit.</summary>
    private double Rate(string condition) =>
        Rows.SelectMany(row => row.Runs)
            .Where(run => run[..^2] == $"postgresql-{condition}")
            .SelectMany(run => KeptRun.Measured(FolderOf(run)))
            .Average(scenario => scenario.ThroughputPerSecond!.Value);

    private string FolderOf(string run) => _history.Below(Path.Combine(Kept, run));

    [GeneratedRegex("`(postgresql-[a-z0-9-]+-[0-9])`")]
    private static partial Regex NameOfRun();
}
