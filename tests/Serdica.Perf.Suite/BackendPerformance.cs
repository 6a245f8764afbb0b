using Serdica.Perf.Measurement.Catalog;

namespace Serdica.Perf.Suite;

/// <summary>All scenarios, by tier, on one backend; a class for each backend derives from it.</summary>
public abstract class BackendPerformance(PerfRun run, string backend)
{
    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Latency)]
    public Task Signal_roundtrip_latency_serial() => MeasureAsync("signal-roundtrip-latency-serial");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Throughput)]
    public Task Signal_roundtrip_throughput_parallel() => MeasureAsync("signal-roundtrip-throughput-parallel");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Throughput)]
    public Task Signal_roundtrip_throughput_sustained() => MeasureAsync("signal-roundtrip-throughput-sustained");

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

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Capacity)]
    public Task Signal_roundtrip_capacity_c1() => MeasureAsync("signal-roundtrip-capacity-c1");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Capacity)]
    public Task Signal_roundtrip_capacity_c4() => MeasureAsync("signal-roundtrip-capacity-c4");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Capacity)]
    public Task Signal_roundtrip_capacity_c8() => MeasureAsync("signal-roundtrip-capacity-c8");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Capacity)]
    public Task Signal_roundtrip_capacity_c16() => MeasureAsync("signal-roundtrip-capacity-c16");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Nightly)]
    public Task Immediate_burst_nightly() => MeasureAsync("immediate-burst-nightly");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Nightly)]
    public Task Delayed_burst_nightly() => MeasureAsync("delayed-burst-nightly");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Nightly)]
    public Task Synthetic_external_resume_nightly() => MeasureAsync("synthetic-external-resume-nightly");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Nightly)]
    public Task Bulstrad_quotation_confirm_convert_to_policy_nightly() =>
        MeasureAsync("bulstrad-quotation-confirm-convert-to-policy-nightly");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Nightly)]
    public Task Cancel_under_load() => MeasureAsync("cancel-under-load");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Nightly)]
    public Task Poison_signal() => MeasureAsync("poison-signal");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Nightly)]
    public Task Duplicate_and_early_signals() => MeasureAsync("duplicate-and-early-signals");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Nightly)]
    public Task Recovery_backlog() => MeasureAsync("recovery-backlog");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Nightly)]
    public Task Child_fan_out() => MeasureAsync("child-fan-out");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Nightly)]
    public Task Full_host() => MeasureAsync("full-host");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Nightly)]
    public Task Timer_wheel() => MeasureAsync("timer-wheel");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Nightly)]
    public Task Large_state() => MeasureAsync("large-state");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Soak)]
    public Task Signal_roundtrip_soak() => MeasureAsync("signal-roundtrip-soak");

    [Fact]
    [Trait(PerfCategory.Name, PerfCategory.Soak)]
    public Task Long_soak()
    {
        LongRuns.SkipUnlessAsked();
        Assert.SkipWhen(
            backend == BackendNames.InMemory,
            "The in-memory backend keeps every instance, and minutes of them fill the memory."
        );
        return MeasureAsync("long-soak");
    }

    private Task MeasureAsync(string scenario) => run.MeasureAsync(backend, ScenarioCatalog.Find(scenario)!);
}
