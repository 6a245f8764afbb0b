using Serdica.Perf.Cli.Composition;

namespace Serdica.Perf.Suite;

public sealed class PostgreSqlPerformance(PerfRun run)
{
    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Latency)]
    public Task Signal_roundtrip_latency_serial() => MeasureAsync("signal-roundtrip-latency-serial");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Throughput)]
    public Task Signal_roundtrip_throughput_parallel() => MeasureAsync("signal-roundtrip-throughput-parallel");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Smoke)]
    public Task Immediate_burst_smoke() => MeasureAsync("immediate-burst-smoke");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Smoke)]
    public Task Delayed_burst_smoke() => MeasureAsync("delayed-burst-smoke");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Smoke)]
    public Task Synthetic_external_resume_smoke() => MeasureAsync("synthetic-external-resume-smoke");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Smoke)]
    public Task Bulstrad_quote_or_apl_cancel_smoke() => MeasureAsync("bulstrad-quote-or-apl-cancel-smoke");

    private async Task MeasureAsync(string scenario) =>
        Measured.Passed(await run.MeasureAsync(BackendNames.PostgreSql, scenario));
}
