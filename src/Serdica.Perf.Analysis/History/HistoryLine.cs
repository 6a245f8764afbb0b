using System.Security.Cryptography;

namespace Serdica.Perf.Analysis.History;

/// <summary>One scenario on one backend at one commit: a line of <c>history.ndjson</c>.</summary>
internal sealed record HistoryLine
{
    /// <summary>Incremented when a reader of the old shape would misunderstand the new one.</summary>
    public int SchemaVersion { get; init; } = 1;

    /// <summary>The full commit id.</summary>
    public required string Commit { get; init; }

    /// <summary>The time of the measurement, in UTC.</summary>
    public required DateTimeOffset At { get; init; }

    /// <summary>The name of the scenario, starting with the backend.</summary>
    public required string Name { get; init; }

    /// <summary>
    /// Equal for measurements that belong to one line of a chart: those with the same scenario, definition, parameters, hardware
    /// and durability. A change of any of these starts a new series and is not a change of the code.
    /// </summary>
    public required string Series { get; init; }

    /// <summary>The name of the run folder.</summary>
    public required string Run { get; init; }

    public required int Repeats { get; init; }

    /// <summary>Conditions that may change within a series and explain a change point: runtime, kernel, system, database version.</summary>
    public IReadOnlyDictionary<string, string> Conditions { get; init; } = new Dictionary<string, string>();

    /// <summary>Figures by metric name, as in <see cref="ComparedMetric"/>.</summary>
    public required IReadOnlyDictionary<string, HistoryFigure> Figures { get; init; }

    /// <summary>One line for each scenario of a run.</summary>
    /// <exception cref="HistoryException">The run's figures do not belong to a commit.</exception>
    public static IReadOnlyList<HistoryLine> Of(RunResult run)
    {
        try
        {
            UnfitRun.Refuse(run);
        }
        catch (BaselineException error)
        {
            throw new HistoryException(error.Message, error);
        }

        var source = run.Environment.Source;
        if (source.Commit is not { } commit)
            throw new HistoryException(
                $"The run {run.RunId} does not say which commit it measured: {source.Reason} A history is of commits."
            );
        if (source.Dirty == true)
            throw new HistoryException(
                $"The run {run.RunId} was measured with changes on top of the commit {commit[..12]}, so its figures are not that commit's. "
                    + $"Commit them and measure again."
            );
        if (source.Dirty is null)
            throw new HistoryException(
                $"The run {run.RunId} does not say whether there were changes on top of the commit {commit[..12]}, from which its program "
                    + $"was built. Measure in the repository, where git can tell."
            );
        return [.. run.Scenarios.GroupBy(scenario => scenario.Name).Select(repeats => Of(run, commit, [.. repeats]))];
    }

    /// <summary>The series of each scenario of a run, whether or not the run may be added.</summary>
    internal static IEnumerable<string> SeriesOf(RunResult run) =>
        run.Scenarios.DistinctBy(scenario => scenario.Name).Select(scenario => SeriesOf(run, scenario));

    /// <summary>The series of a scenario of a run, whether or not the run may be added.</summary>
    internal static string SeriesOf(RunResult run, ScenarioResult scenario) =>
        SeriesOf(run.Environment, RunComparer.Database(run, scenario), scenario);

    private static HistoryLine Of(RunResult run, string commit, ScenarioResult[] repeats)
    {
        var database = RunComparer.Database(run, repeats[0]);
        return new()
        {
            Commit = commit,
            At = run.StartedAt,
            Name = repeats[0].Name,
            Series = SeriesOf(run.Environment, database, repeats[0]),
            Run = run.RunId,
            Repeats = repeats.Length,
            Conditions = ConditionsOf(run.Environment, database),
            Figures = ComparedMetric
                .Of(repeats)
                .Where(metric => MetricComparer.TooFew(metric, repeats) is null)
                .Select(metric => (metric.Name, metric.Unit, Value: MetricComparer.Typical(MetricComparer.Values(metric, repeats))))
                .Where(figure => figure.Value is not null)
                .ToDictionary(figure => figure.Name, figure => new HistoryFigure(figure.Value!.Value, figure.Unit)),
        };
    }

    private static Dictionary<string, string> ConditionsOf(EnvironmentFingerprint environment, DatabaseDescription? database) =>
        new()
        {
            ["dotNet"] = environment.Runtime.DotNetVersion,
            ["kernel"] = environment.Machine.Kernel,
            ["operatingSystem"] = environment.Machine.OperatingSystem,
            ["database"] = $"{database?.Product} {database?.Version}".Trim(),
            ["machine"] = environment.Machine.MachineName,
        };

    private static string SeriesOf(EnvironmentFingerprint environment, DatabaseDescription? database, ScenarioResult scenario)
    {
        var identity = new
        {
            scenario.Name,
            scenario.DefinitionHash,
            Parameters = scenario.Parameters with { Repeat = 1 },
            environment.Machine.CpuModel,
            environment.Machine.LogicalCores,
            environment.Machine.CgroupCpuLimit,
            environment.Machine.CgroupMemoryLimitBytes,
            environment.Machine.Architecture,
            environment.Runtime.AvailableProcessors,
            environment.Runtime.ServerGc,
            database?.Durability,
            database?.DataFileSystem,
        };
        return Convert.ToHexStringLower(
            SHA256.HashData(JsonSerializer.SerializeToUtf8Bytes(identity, MeasurementJson.Compact)).AsSpan(0, 8)
        );
    }
}

/// <summary>A figure of a commit.</summary>
/// <param name="Value">Geometric mean of the repeats.</param>
/// <param name="Unit">The unit, for instance <c>ms</c>; null for a plain count.</param>
internal sealed record HistoryFigure(double Value, string? Unit);
