namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>What a step must keep to pass.</summary>
internal sealed class LoadObjectiveOptions(Command command)
{
    private readonly Option<string?> _p99 = command.Text(
        "--p99",
        "TIME",
        "The highest p99 of the response time: short for --threshold \"responseTime:p99 <= TIME\"."
    );
    private readonly Option<string?> _errorRate = command.Text(
        "--error-rate",
        "SHARE",
        "The highest share of real failures: short for --threshold \"errorRate <= SHARE\". Default 0."
    );
    private readonly Option<string?> _lateness = command.Text(
        "--lateness",
        "SHARE",
        "The highest share of late and dropped arrivals: short for --threshold \"lateness <= SHARE\"."
    );
    private readonly Option<string[]> _thresholds = command.Declare(
        new Option<string[]>("--threshold")
        {
            HelpName = "LIMIT",
            Description =
                "A limit that each step must keep: METRIC[:PERCENTILE] OPERATOR VALUE, for instance \"queueTime:p99.9 < 20ms\" or "
                + "\"throughput >= 990\". Can be repeated.",
            Arity = ArgumentArity.OneOrMore,
        }
    );
    private readonly Option<bool> _abort = command.Switch(
        "--abort-on-threshold",
        "Ends the test as soon as a threshold can no longer be kept, whatever happens in the rest of the step."
    );

    public LoadProfile Apply(LoadProfile profile, TypedValues typed) =>
        profile with
        {
            Thresholds = Threshold.Merged(profile.Thresholds, [.. typed.Thresholds(_p99, _errorRate, _lateness, _thresholds)]),
            AbortOnThreshold = typed.IsSet(_abort) || profile.AbortOnThreshold,
        };

    /// <exception cref="LoadProfileException">The thresholds need what this kind of test does not have.</exception>
    public void Check(LoadProfile profile, bool findsMaximum, int generators, TypedValues typed)
    {
        if (profile.AbortOnThreshold && profile.Thresholds.Count == 0)
            throw typed.Error($"{_abort.Name} needs a threshold; give one with {_thresholds.Name}");
        if (profile.AbortOnThreshold && findsMaximum)
            throw typed.Error($"A search ends its trials by itself; leave {_abort.Name} out");
        if (generators == 1)
            return;
        if (profile.AbortOnThreshold)
            throw typed.Error($"Each of {generators} generators sees only its own operations; leave {_abort.Name} out");
        if (profile.Thresholds.FirstOrDefault(threshold => ThresholdMetrics.IsOfServer(threshold.Metric)) is { } ofServer)
            throw typed.Error(
                $"The threshold '{ofServer.Text}' limits a figure of the server, which is not judged with {generators} generators; leave "
                    + "it out"
            );
    }
}
