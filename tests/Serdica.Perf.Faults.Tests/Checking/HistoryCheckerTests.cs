namespace Serdica.Perf.Faults.Tests.Checking;

public sealed class HistoryCheckerTests : FolderTests
{
    [Fact]
    public void A_history_in_which_nothing_happened_proves_nothing()
    {
        var history = new KeptHistory();
        history.Add("client", new HistoryRecord { Kind = HistoryKind.Census, Census = new(0, 0, 0, 0, 0, 0, 0, 0, 0) });

        var report = history.Check();

        Assert.Equal(Range(1, 16), report.Invariants.Select(finding => finding.Number));
        Assert.All(report.Invariants, finding => Assert.Equal(InvariantVerdict.Unproven, finding.Verdict));
        Assert.Equal(InvariantVerdict.Unproven, report.Verdict());
    }

    [Fact]
    public void Without_a_census_nothing_is_proven_even_when_nothing_is_required()
    {
        var history = new KeptHistory();
        history.Add("client", new HistoryRecord { Kind = HistoryKind.Limits, Limits = new() });

        Assert.Equal(InvariantVerdict.Unproven, history.Check().Verdict([]));
    }

    [Fact]
    public void A_fault_that_did_not_strike_proves_nothing_and_is_no_fault_of_the_engine()
    {
        var history = new KeptHistory();
        history.Add("run", SmallHistory.Fault(0, HistoryPhase.Began, null), SmallHistory.Fault(0, HistoryPhase.Done, null));
        history.Add("run", new HistoryRecord { Kind = HistoryKind.Census, Census = new(0, 0, 0, 0, 0, 0, 0, 0, 0) });

        var report = history.Check();

        Assert.Equal(16, Assert.Single(report.Violated).Number);
        Assert.Equal(InvariantVerdict.Unproven, report.Verdict([]));
    }

    [Fact]
    public void A_start_without_an_answer_is_counted_and_neither_lost_nor_a_phantom()
    {
        var history = new KeptHistory();
        history.Add("client", SmallHistory.Call(CallKind.Start, default, 1, "k") with { Instance = null });

        var report = history.Check();

        Assert.Empty(report.Violated);
        Assert.Equal((1, 1), (report.Operations, report.WithoutAnswer));
    }

    [Fact]
    public async Task The_check_leaves_nothing_behind()
    {
        await using (var writer = new HistoryWriter(Root.Path, "client", "client"))
            writer.Write(new() { Kind = HistoryKind.Limits, Limits = new() });

        HistoryChecker.Check(Root.Path, Token);

        Assert.Equal([HistoryFolder.FileOf(Root.Path, "client")], Directory.EnumerateFileSystemEntries(Root.Path));
    }

    [Fact]
    public void Unknown_outcomes_are_counted_in_the_text()
    {
        var history = new KeptHistory();
        history.Add("client", new HistoryRecord { Kind = HistoryKind.Unknown, Operation = 1 });
        using var text = new StringWriter();

        CheckReportText.Write(text, history.Check());

        Assert.Contains("Calls and commits with an unknown outcome: 1.", text.ToString());
    }

    [Fact]
    public async Task A_torn_file_is_named()
    {
        await using (var writer = new HistoryWriter(Root.Path, "host-1", "host"))
            writer.Write(new() { Kind = HistoryKind.Limits, Limits = new() });
        await File.AppendAllTextAsync(HistoryFolder.FileOf(Root.Path, "host-1"), "{\"ki", Token);

        using var text = new StringWriter();
        CheckReportText.Write(text, HistoryChecker.Check(Root.Path, Token), required: [1]);

        Assert.Contains("The last line of 'host-1' is incomplete", text.ToString());
        Assert.Contains("no census", text.ToString());
        Assert.Contains("UNPROVEN", text.ToString());
    }
}
