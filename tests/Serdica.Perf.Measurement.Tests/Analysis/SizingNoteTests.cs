using Serdica.Perf.Measurement.Analysis;
using Serdica.Perf.Measurement.Results;

namespace Serdica.Perf.Measurement.Tests.Analysis;

public sealed class SizingNoteTests
{
    [Fact]
    public void Pressure_begins_where_p95_grows_by_more_than_throughput()
    {
        var note = SizingNote.Of([Rung(16, 900, 12), Rung(1, 100, 4), Rung(4, 400, 5), Rung(8, 800, 6)])!;

        Assert.Equal((8, 16), (note.LastComfortable.Parameters.Concurrency, note.FirstUnderPressure!.Parameters.Concurrency));
    }

    [Fact]
    public void A_ladder_that_is_comfortable_to_its_top_has_no_rung_under_pressure()
    {
        var note = SizingNote.Of([Rung(1, 100, 4), Rung(4, 400, 5)])!;

        Assert.Equal(4, note.LastComfortable.Parameters.Concurrency);
        Assert.Null(note.FirstUnderPressure);
    }

    [Fact]
    public void One_rung_tells_nothing() => Assert.Null(SizingNote.Of([Rung(1, 100, 4)]));

    private static ScenarioResult Rung(int concurrency, int perSecond, double averageMs)
    {
        var name = $"signal-roundtrip-capacity-c{concurrency}";
        var rung = ReferenceSizedRun.Measured(name, "WorkflowPerfCapacity", ScenarioFamilies.SignalRoundtrip, perSecond, concurrency, 8, 1_000);
        return rung with { ServiceTime = SampleRun.Latency(perSecond, averageMs) };
    }
}
