namespace Serdica.Perf.Cli.Options;

/// <summary>The limits that a run is judged by.</summary>
/// <param name="Settings">The content of the gate's file.</param>
/// <param name="Base">What relative limits are relative to; null when there are none.</param>
/// <param name="Confirm">Whether a second run may take a breach away.</param>
/// <param name="History">What is known of the noise between runs.</param>
internal sealed record RunGate(GateSettings Settings, RunResult? Base, bool Confirm, IReadOnlyList<HistoryLine> History)
{
    /// <summary>Null when no gate was asked for.</summary>
    /// <param name="confirm">Whether a second run may take a breach away.</param>
    /// <exception cref="UsageException">One of the files is missing.</exception>
    /// <exception cref="BaselineException">The baseline can't be used.</exception>
    /// <exception cref="HistoryException">The history can't be used.</exception>
    /// <exception cref="GateException">The gate can't be used, or names a scenario that does not exist.</exception>
    public static RunGate? Read(string? gate, string? baseline, bool confirm, IReadOnlySet<string> planned)
    {
        if (gate is null)
        {
            return baseline is null && !confirm
                ? null
                : throw new UsageException(
                    "--baseline and --rerun-to-confirm need a gate; name its file with --gate, for instance perf-gate.json."
                );
        }

        var settings = GateReader.Read(gate);
        if (settings.Relative.Count > 0 && baseline is null)
        {
            throw new UsageException(
                $"The gate '{gate}' has relative limits; name the run or baseline that they are relative to with --baseline."
            );
        }

        var compared = baseline is null ? null : BaselineReader.Read(baseline);
        GateNames.Check(settings, gate, planned.Concat(compared?.Scenarios.Select(scenario => scenario.Name) ?? []));
        return new(settings, compared, confirm, compared is null ? [] : HistoryFile.Read());
    }

    /// <summary>The limit for which the rest of a run need not be measured; null when there is none.</summary>
    public GateBreach? FindFutility(RunResult soFar, string scenario) =>
        FutilityStop.Find(Settings, Base, soFar, scenario, DateOnly.FromDateTime(soFar.FinishedAt.UtcDateTime));

    /// <summary>Judges a run that has ended, writes the comparison into its folder and prints it.</summary>
    /// <param name="futile">The limit that stopped the run early; null when none did.</param>
    /// <param name="planned">Scenarios that were requested, with the backend as a prefix; only these can be missing.</param>
    public GateResult Judge(RunResult run, GateBreach? futile, IReadOnlySet<string> planned, RunFolder folder, TextWriter console)
    {
        // What a futility stop left unmeasured is not missing from the candidate.
        bool IsExpected(string name) => futile is null ? planned.Contains(name) : run.Scenarios.Any(scenario => scenario.Name == name);
        var comparison = Base is null
            ? new() { Base = "no base", Candidate = run.RunId, AllowUnlike = false, Scenarios = [] }
            : KnownNoise.Compare(
                Base with { Scenarios = [.. Base.Scenarios.Where(scenario => IsExpected(scenario.Name))] },
                run,
                Settings.Comparison,
                History
            );
        var judged = Gate.Judge(Settings, comparison, run, DateOnly.FromDateTime(run.FinishedAt.UtcDateTime));
        if (futile is not null)
        {
            // Repeats that it left out might have exceeded what those before it did not.
            judged = judged with { JudgedFigures = new HashSet<(string, string)>() };
            var isKnown = judged
                .Breaches.Concat(judged.Quarantined)
                .Any(breach => (breach.Scenario, breach.Metric) == (futile.Scenario, futile.Metric));
            if (!isKnown)
                judged = judged with { Breaches = [.. judged.Breaches, futile], NothingBecause = null };
        }

        // The verdict first: it must not be lost with the file.
        ComparisonSummary.Write(console, comparison, judged);
        folder.Write(RunFolder.ComparisonFile, text => ComparisonMarkdown.Write(text, comparison, judged));
        return judged;
    }
}

/// <summary>Which limits a run is judged by.</summary>
internal sealed class RunGateOptions(Command command)
{
    private readonly Option<string?> _gate = command.Text(
        "--gate",
        "FILE",
        "A file of limits, for instance perf-gate.json. The exit code is 3 when one is exceeded, and 5 when too little could be judged."
    );
    private readonly Option<string?> _baseline = command.Text(
        "--baseline",
        "RUN",
        "The run folder or published baseline that the gate's relative limits refer to."
    );
    private readonly Option<bool> _rerun = command.Switch(
        "--rerun-to-confirm",
        "Measures scenarios that exceed a limit again. A limit that the second run keeps does not count."
    );

    /// <inheritdoc cref="RunGate.Read"/>
    public RunGate? Read(ParseResult parsed, IReadOnlySet<string> planned) =>
        RunGate.Read(parsed.GetValue(_gate), parsed.GetValue(_baseline), parsed.GetValue(_rerun), planned);
}
