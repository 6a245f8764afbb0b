using YamlDotNet.RepresentationModel;

namespace Serdica.Perf.Measurement.Tests.Sizing;

public sealed partial class SizingAdviceTests
{
    private const double Mebibyte = 1 << 20;

    [Fact]
    public void Sizes_are_named_by_rising_load_and_carry_p99_and_headroom()
    {
        var advice = SizingAdvice.Of([Test(Step(1_000, cores: 1, mebibytes: 400), Step(100, cores: 0.1, mebibytes: 390))], new());

        Assert.Equal([("XS", 100), ("S", 1_000)], advice.Sizes.Select(size => (size.Name, size.UpToPerSecond)));
        var component = Assert.Single(advice.Sizes[1].Components);
        Assert.Equal(
            ("database", 1_250, 1_900, 512, 768),
            (component.Component, component.CpuRequest, component.CpuLimit, component.MemoryRequest, component.MemoryLimit)
        );
        Assert.Equal(
            (1_250, 1_900, 512, 768),
            (advice.Sizes[1].CpuRequest, advice.Sizes[1].CpuLimit, advice.Sizes[1].MemoryRequest, advice.Sizes[1].MemoryLimit)
        );
    }

    [Fact]
    public void Runs_of_different_backends_make_no_size()
    {
        var test = Test(Step(100, cores: 1, mebibytes: 400));

        Assert.Equal(
            "These runs measured different backends (in-memory, postgresql), and a size is for one: name runs of one backend.",
            Mistake(() => SizingAdvice.Of([test, test with { Backend = "postgresql" }], new()))
        );
    }

    [Fact]
    public void Runs_of_different_work_make_no_size()
    {
        var test = Test(Step(100, cores: 1, mebibytes: 400));
        LoadTestResult[] others =
        [
            test with { Profile = test.Profile with { Work = new() { PayloadBytes = 65_536 } } },
            test with { Profile = test.Profile with { Workers = 7 } },
            test with { Profile = test.Profile with { Engine = new Dictionary<string, string> { ["claim-batch"] = "9" } } },
            test with { Hosts = 2 },
            test with { Generators = 2 },
            test with { Profile = test.Profile with { Steps = [test.Profile.Steps[0] with { ReadsPerSecond = 50 }] } },
        ];

        // More steps of the same work are none of another.
        var longer = test with { Profile = test.Profile with { Steps = [.. others[^1].Profile.Steps, .. others[^1].Profile.Steps] } };
        Assert.NotEmpty(SizingAdvice.Of([others[^1], longer], new()).Sizes);
        EachItem.Holds(
            others,
            other =>
                Assert.StartsWith("These runs measured different work", Mistake(() => SizingAdvice.Of([test, other], new())))
        );
    }

    [Fact]
    public void Size_has_as_many_replicas_as_were_measured()
    {
        var size = new TshirtSize("S", 100, [new SizeRule().Of(Figures(1, 400) with { Replicas = 3 })!]);

        var component = Assert.Single(size.Components);
        Assert.Equal((3, 3 * 1_250, 3 * 512), (component.Replicas, size.CpuRequest, size.MemoryRequest));
        Assert.Equal((3 * component.CpuLimit, 3 * component.MemoryLimit), (size.CpuLimit, size.MemoryLimit));
        Assert.Contains("replicas: 3", KubernetesFragment.Of(size));
    }

    [Fact]
    public void What_is_not_known_of_a_component_is_told_with_its_reason()
    {
        var figures = Figures(1, 400) with
        {
            Missing = new Dictionary<string, string> { ["written bytes"] = "The kernel counts too much." },
        };

        Assert.Contains(
            "- Not available: database, written bytes: The kernel counts too much.\n",
            Report([new TshirtSize("S", 100, [new SizeRule().Of(figures)!])])
        );
    }

    [Fact]
    public void Size_that_is_left_out_is_reported_with_its_reason()
    {
        Assert.Contains("\n- Not printed: S, database: too small.\n", Report([], ["S, database: too small."]));
    }

    [Fact]
    public void Disk_figures_have_the_headroom()
    {
        var figures = Figures(1, 400) with { DiskRead = Disk(2), DiskWrite = Disk(8) };

        var report = Report([new TshirtSize("S", 100, [new SizeRule(0.5).Of(figures)!])], headroom: 0.5);

        Assert.Matches(@"\| +3\.00 \| +12\.00 \|\n", report);

        static ResourceFigures.Usage Disk(double p99) => new(p99 * Mebibyte, 2 * p99 * Mebibyte, Mebibyte);
    }

    [Fact]
    public void Projections_are_in_order_of_their_targets()
    {
        var steps = new double[] { 500, 1_000, 2_000, 4_000 }.Select(rate => Step(rate, rate / 4_000, 400));

        var advice = SizingAdvice.Of([Test([.. steps])], new(), [30_000, 20_000]);

        Assert.Equal([20_000, 30_000], advice.Projections.Select(projection => projection.PerSecond));
    }

    [Fact]
    public void Component_that_no_step_has_samples_of_is_named()
    {
        var step = Step(100, cores: 1, mebibytes: 400);
        var blind = step with { Resources = [.. step.Resources, new() { Component = "server", Samples = 0 }] };

        var advice = SizingAdvice.Of([Test(blind)], new());

        Assert.StartsWith("server: no step has samples of its processors", Assert.Single(advice.LeftOut));
        Assert.Equal("database", Assert.Single(Assert.Single(advice.Sizes).Components).Component);
        Assert.Empty(SizingAdvice.Of([Test(step)], new()).LeftOut);
    }

    [Fact]
    public void Every_size_keeps_its_own_rule_whatever_was_measured()
    {
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll(
                Gen.Choose(0, int.MaxValue - 1).ToArbitrary(),
                seed =>
                {
                    var random = new Random(seed);
                    var (p99, above, headroom) = (random.Next(1, 20_000), random.Next(0, 20_000), random.Next(1, 60));
                    var usage = new ResourceFigures.Usage(p99 / 1000.0, (p99 + above) / 1000.0, p99 / 2000.0);
                    var memory = new ResourceFigures.Usage(p99 * Mebibyte, (p99 + above) * Mebibyte, p99 * Mebibyte);
                    var rule = new SizeRule(headroom / 100.0);
                    var component = rule.Of(new() { Component = "database", Samples = 10, Cpu = usage, Memory = memory })!;
                    return !rule.Breaches(new("S", 1, [component])).Any();
                }
            )
        );
    }

    [Fact]
    public void A_size_that_breaks_its_rule_is_told()
    {
        var rule = new SizeRule();
        var component = rule.Of(Figures(1, 400))! with { CpuRequest = 1_000, MemoryLimit = 300 };

        Assert.Equal(
            [
                "S, database: the processors requested (1000m) lack the headroom of 25 % over a P99 of 1000m.",
                "S, database: the limit of memory (300Mi) is below the 400Mi that were seen.",
                "S, database: the limit of memory is -41 % above the request; it must be 50 to 100 %.",
            ],
            rule.Breaches(new("S", 1, [component]))
        );
    }

    [Theory]
    [InlineData(0, nameof(GrowthClass.Fixed))]
    [InlineData(0.26, nameof(GrowthClass.Linear))]
    [InlineData(1, nameof(GrowthClass.Linear))]
    [InlineData(1.16, nameof(GrowthClass.Steep))]
    [InlineData(1.5, nameof(GrowthClass.Steep))]
    public void Growth_is_classified_by_the_exponent_of_use_over_rate(double exponent, string expected)
    {
        var growth = Growth.Of(new double[] { 100, 200, 400, 800 }.Select(rate => (rate, 3 * Math.Pow(rate, exponent))));

        Assert.Equal(expected, growth.Class.ToString());
        Assert.Equal(exponent, growth.Exponent!.Value, 1e-9);
        Assert.Equal(0, growth.StandardError!.Value, 1e-6);
    }

    [Fact]
    public void Growth_that_two_steps_or_much_noise_would_show_is_not_known()
    {
        Assert.Equal(GrowthClass.Unknown, Growth.Of([(100, 1), (200, 2)]).Class);
        Assert.Equal(GrowthClass.Unknown, Growth.Of([(100, 1), (200, 9), (400, 1), (800, 9)]).Class);
        Assert.Equal(GrowthClass.Unknown, Growth.Of([(100, 1), (200, 2), (200, 2.1)]).Class);
        Assert.Equal(GrowthClass.Unknown, Growth.Of([(100, 1), (200, 2), (400, 0)]).Class);
        Assert.Equal(GrowthClass.Unknown, Growth.Of([(100, 1), (200, 3.2), (400, 4)]).Class);
        Assert.Equal(GrowthClass.Linear, Growth.Of([(100, 1), (200, 3), (400, 4)]).Class);
    }

    [Fact]
    public void Lowest_and_highest_of_many_steps_are_sizes_and_shares_are_those_of_the_highest()
    {
        var total = Figures(10, 100) with { Component = ResourceFigures.Total };
        var steps = Range(1, 8)
            .Select(number => Step(100 * number, 1, 1) with { Resources = [Growing(number), total] })
            .ToArray();

        // The mean of the processors is in proportion, and the P99 of memory is a square.
        static ResourceFigures Growing(double number) =>
            Figures(1, 1) with
            {
                Cpu = new(number * number, number * number, 0.8 * number),
                Memory = new(number * number * Mebibyte, number * number * number * Mebibyte, 5 * number * Mebibyte),
            };

        var advice = SizingAdvice.Of([Test([.. steps, steps[7]])], new());

        Assert.Equal([100, 200, 300, 500, 600, 800], advice.Sizes.Select(size => size.UpToPerSecond));
        var growth = Assert.Single(advice.Growths);
        Assert.Equal((0.8, 0.4), (Math.Round(growth.CpuShare!.Value, 9), Math.Round(growth.MemoryShare!.Value, 9)));
        Assert.Equal((1, 2), (Math.Round(growth.Cpu.Exponent!.Value, 9), Math.Round(growth.Memory.Exponent!.Value, 9)));
    }

    [Fact]
    public void Failed_and_generator_limited_steps_make_no_size()
    {
        var good = Step(100, 0.1, 100);

        var advice = SizingAdvice.Of(
            [Test(good, Step(200, 1, 1) with { Verdict = StepVerdict.Failed }, Step(300, 1, 1) with { GeneratorLimited = true })],
            new()
        );

        Assert.Equal([100], advice.Sizes.Select(size => size.UpToPerSecond));
        Assert.Equal(["run, step-200: it failed", "run, step-300: it was limited by its generator"], advice.LeftOut);

        StepResult[] doubtful =
        [
            good with { Scenario = "in-memory-200", Unverified = "Nothing was read back." },
            good with { Scenario = "in-memory-300", Contamination = 1 },
            good with { Scenario = "in-memory-400", Saturation = "Not sustained." },
            good with { Scenario = "in-memory-500", Name = "step-500 #1" },
            good with { Scenario = "in-memory-500", Name = "step-500 #2", Verdict = StepVerdict.Failed },
        ];
        advice = SizingAdvice.Of([Test([good, .. doubtful])], new());

        Assert.Single(advice.Sizes);
        Assert.Equal(
            [
                "run, step-100: it was not verified",
                "run, step-100: work of an earlier step was left in its store",
                "run, step-100: it was not sustained",
                "run, step-500 #1: step-500 #2, which repeats it, cannot be used",
                "run, step-500 #2: it failed",
            ],
            advice.LeftOut
        );
        Assert.Throws<LoadProfileException>(() => SizingAdvice.Of([Test(good with { Resources = [] })], new()));
    }

    [Fact]
    public void The_fragment_has_what_kubernetes_asks_for()
    {
        var size = SizingAdvice.Of([Test(Step(100, 0.3, 100))], new()).Sizes[0];
        var yaml = new YamlStream();
        yaml.Load(new StringReader(KubernetesFragment.Of(size)));

        var root = (YamlMappingNode)Assert.Single(yaml.Documents).RootNode;
        Assert.Equal(("apps/v1", "Deployment"), (root["apiVersion"].ToString(), root["kind"].ToString()));
        Assert.Matches(DnsLabel(), root["metadata"]["name"].ToString());
        Assert.Equal("1", root["spec"]["replicas"].ToString());
        var container = root["spec"]["template"]["spec"]["containers"][0];
        Assert.Equal(root["metadata"]["name"], container["name"]);
        foreach (var kind in (string[])["requests", "limits"])
        {
            Assert.Matches("^[1-9][0-9]*m$", container["resources"][kind]["cpu"].ToString());
            Assert.Matches("^[1-9][0-9]*Mi$", container["resources"][kind]["memory"].ToString());
        }
    }

    private static string Report(IReadOnlyList<TshirtSize> sizes, IReadOnlyList<string>? breaches = null, double headroom = 0.25)
    {
        using var writer = new StringWriter { NewLine = "\n" };
        SizingMarkdown.Write(
            writer,
            new SizingAdvice { Sizes = sizes, Rule = new(headroom), Growths = [], Breaches = breaches ?? [], LeftOut = [] }
        );
        return writer.ToString();
    }

    private static ResourceFigures Figures(double cores, double mebibytes) =>
        new()
        {
            Component = "database",
            Samples = 10,
            Cpu = new(cores, cores * 1.1, cores * 0.8),
            Memory = new(mebibytes * Mebibyte, mebibytes * Mebibyte, mebibytes * Mebibyte),
        };

    internal static StepResult Step(double perSecond, double cores, double mebibytes) =>
        SampleStep.Good with
        {
            Name = $"step-{perSecond}",
            Scenario = $"in-memory-{perSecond}",
            StartedPerSecond = perSecond,
            CompletedPerSecond = perSecond,
            Resources = [Figures(cores, mebibytes)],
        };

    internal static LoadTestResult Test(params StepResult[] steps) =>
        new()
        {
            Verdict = StepVerdict.Passed,
            RunId = "run",
            StartedAt = DateTimeOffset.UnixEpoch,
            Backend = "in-memory",
            Profile = new()
            {
                Name = "test",
                Steps = [new() { Name = "step", Kind = LoadKind.Open }],
            },
            Steps = steps,
            Command = "serdica-perf load",
        };

    [GeneratedRegex("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")]
    private static partial Regex DnsLabel();
}
