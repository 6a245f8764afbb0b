using Serdica.Perf.Faults.Checking.Invariants;

namespace Serdica.Perf.Faults.Tests.Checking;

/// <summary>A process that was stopped within an attempt may have its effect when it resumes; nothing else excuses it.</summary>
public sealed class StoppedProcessTests
{
    private const int SingleOwner = 8;

    private static readonly Guid Instance = Guid.CreateVersion7();
    private static readonly Guid Activity = Guid.CreateVersion7();

    /// <summary>Times in milliseconds; the attempt begins at 1,000 and has its effect at 5,000.</summary>
    [Theory]
    [InlineData(900, 5_010, "pauseHost", "host-1", true)]
    [InlineData(1_005, 4_990, "pauseHost", "host-1", true)]
    [InlineData(100, 990, "pauseHost", "host-1", false)]
    [InlineData(5_010, 9_000, "pauseHost", "host-1", false)]
    [InlineData(900, 5_010, "pauseHost", "host-2", false)]
    [InlineData(900, 5_010, "partitionHost", "host-1", false)]
    public void An_effect_behind_a_later_attempt_is_excused_by_a_stop_within_it(
        long from,
        long to,
        string fault,
        string process,
        bool isExcused
    )
    {
        var history = new KeptHistory();
        history.Add("host-1", Effect(1_000, token: 1, HistoryPhase.Began), Effect(5_000, token: 1, HistoryPhase.Done));
        history.Add("host-2", Effect(3_500, token: 2, HistoryPhase.Began));
        history.Add("run", Fault(from, HistoryPhase.Began), Fault(to, HistoryPhase.Done));

        var finding = SmallHistory.Finding(history, SingleOwner);

        Assert.Equal(isExcused ? InvariantVerdict.Held : InvariantVerdict.Violated, finding.Verdict);

        HistoryRecord Fault(long at, HistoryPhase phase) =>
            new()
            {
                Kind = HistoryKind.Fault,
                At = at * 1_000,
                Operation = 1,
                Name = fault,
                Process = process,
                Phase = phase,
                Value = 1,
            };
    }

    [Theory]
    [InlineData(3_502, InvariantVerdict.Held)]
    [InlineData(3_503, InvariantVerdict.Violated)]
    public void An_effect_may_be_behind_a_later_attempt_by_what_clocks_differ(long at, object verdict)
    {
        var history = new KeptHistory();
        history.Add("host-1", Effect(1_000, token: 1, HistoryPhase.Began), Effect(at, token: 1, HistoryPhase.Done));
        history.Add("host-2", Effect(3_500, token: 2, HistoryPhase.Began));
        Assert.Equal(verdict, SmallHistory.Finding(history, SingleOwner).Verdict);
    }

    private static HistoryRecord Effect(long at, int token, HistoryPhase phase) =>
        new()
        {
            Kind = HistoryKind.Effect,
            At = at * 1_000,
            Instance = Instance,
            Id = Activity,
            Name = "work",
            Token = token,
            Phase = phase,
        };
}
