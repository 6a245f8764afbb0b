using YamlDotNet.Core;
using YamlDotNet.Serialization;
using YamlDotNet.Serialization.NamingConventions;

namespace Serdica.Perf.Measurement.LoadTests.Profiles;

/// <summary>Reads <c>profiles/*.yml</c>. An unknown key is an error, reported with its line.</summary>
internal static class LoadProfileReader
{
    private const double SecondsOfDay = 86_400;

    private static readonly IDeserializer Deserializer = new DeserializerBuilder()
        .WithNamingConvention(CamelCaseNamingConvention.Instance)
        .Build();

    /// <exception cref="LoadProfileException">The file cannot be read, or is invalid.</exception>
    public static LoadProfile Read(string path)
    {
        string text;
        try
        {
            text = File.ReadAllText(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new LoadProfileException($"The profile '{path}' cannot be read: {e.Message}", e);
        }

        return Parse(text, Path.GetFileNameWithoutExtension(path));
    }

    /// <exception cref="LoadProfileException">The text is not YAML, or is invalid.</exception>
    public static LoadProfile Parse(string text, string name)
    {
        LoadProfileYaml? yaml;
        try
        {
            yaml = Deserializer.Deserialize<LoadProfileYaml?>(text);
        }
        catch (YamlException e)
        {
            throw new LoadProfileException($"Profile '{name}', line {e.Start.Line}: {e.InnerException?.Message ?? e.Message}", e);
        }

        return yaml is { Steps.Count: > 0 }
            ? Profile(yaml, name)
            : throw new LoadProfileException(
                $"Profile '{name}' has no steps; it needs a list 'steps', each with a rate, users or a backlog."
            );
    }

    private static LoadProfile Profile(LoadProfileYaml yaml, string name)
    {
        var values = new ProfileValues($"Profile '{yaml.Name ?? name}'");
        var work = Work(yaml.Work ?? new(), values);
        var standard = new LoadProfile { Name = "", Steps = [] };
        return new()
        {
            Name = yaml.Name ?? name,
            Description = yaml.Description?.Trim() ?? "",
            Workflow = yaml.Workflow ?? standard.Workflow,
            Work = work,
            Mix = values.Mix(yaml.Mix),
            Workers = values.Count("workers", yaml.Workers) ?? standard.Workers,
            Slots = values.Count("slots", yaml.Slots),
            Engine = EngineSettings.Checked(yaml.Engine ?? [], $"Profile '{yaml.Name ?? name}': "),
            WarmUp = values.Duration("warmUp", yaml.WarmUp) ?? standard.WarmUp,
            Cooldown = values.Duration("cooldown", yaml.Cooldown) ?? standard.Cooldown,
            DrainLimit = values.Duration("drain", yaml.Drain) ?? standard.DrainLimit,
            WorkerDelay = values.Duration("workerDelay", yaml.WorkerDelay) ?? standard.WorkerDelay,
            WaitForClean = values.Truth("waitForClean", yaml.WaitForClean),
            FreshSteps = values.Truth("freshSteps", yaml.FreshSteps),
            Seed = values.Count("seed", yaml.Seed) ?? standard.Seed,
            Thresholds = Threshold.Merged(
                values.Thresholds(
                    values.Duration("p99", yaml.Objectives?.P99),
                    values.Share("errorRate", yaml.Objectives?.ErrorRate),
                    values.Share("lateness", yaml.Objectives?.Lateness)
                ),
                values.Thresholds(yaml.Thresholds)
            ),
            AbortOnThreshold = values.Truth("abortOnThreshold", yaml.AbortOnThreshold),
            Steps = LoadSteps.WithUniqueNames(yaml.Steps!.SelectMany((step, index) => Steps(step, index, work, yaml.Name ?? name))),
        };
    }

    private static WorkShape Work(LoadProfileYaml.WorkYaml yaml, ProfileValues values)
    {
        var standard = new WorkShape();
        return new()
        {
            PayloadBytes = values.Payload("payload", yaml.Payload) ?? standard.PayloadBytes,
            StateBytes = values.Payload("state", yaml.State) ?? 0,
            FanOut = values.Count("fanOut", yaml.FanOut) ?? 1,
            Children = values.Count("children", yaml.Children) ?? 0,
            Timers = values.Count("timers", yaml.Timers) ?? 0,
            TimerDelay = values.Duration("timerDelay", yaml.TimerDelay) ?? standard.TimerDelay,
            ActivityDelay = values.Duration("delay", yaml.Delay) ?? TimeSpan.Zero,
            FailureRate = values.Share("failureRate", yaml.FailureRate) ?? 0,
            Trigger = values.Word<WorkTrigger>("trigger", yaml.Trigger) ?? WorkTrigger.Event,
        };
    }

    private static IEnumerable<LoadStep> Steps(LoadProfileYaml.StepYaml yaml, int index, WorkShape work, string profile)
    {
        var values = new ProfileValues($"Profile '{profile}', step {yaml.Name ?? $"{index + 1}"}");
        var rate = values.Rate("rate", yaml.Rate);
        var ramp = values.PerSecond("ramp", yaml.Ramp);
        var volume = values.Bytes64("volumePerDay", yaml.VolumePerDay);
        var backlog = values.Backlog("backlog", yaml.Backlog);
        var oscillate = values.Range("oscillate", yaml.Oscillate);
        var between = values.Range("backlogBetween", yaml.BacklogBetween);
        if (new object?[] { rate, ramp, volume, backlog, oscillate }.Count(value => value is not null) > 1)
            throw values.Error("rate, ramp, volumePerDay, backlog and oscillate exclude each other");
        values.RefuseWithout("oscillate", oscillate is not null, ("period", yaml.Period));
        values.RefuseWithout("ramp", ramp is not null, ("rampFrom", yaml.RampFrom), ("rampBy", yaml.RampBy));

        var perSecond = rate?.PerSecond ?? ramp ?? volume / SecondsOfDay / work.PayloadBytes;
        var kind =
            backlog is not null ? LoadKind.BurnDown
            : rate is null && perSecond is null && oscillate is null ? LoadKind.Closed
            : LoadKind.Open;
        if (kind == LoadKind.Closed && yaml.Users is null)
            throw values.Error("it needs a rate, a ramp, a volumePerDay, a backlog, oscillate, or users");

        var users = values.Range("users", yaml.Users);
        var standard = new LoadStep { Name = "", Kind = kind };
        var step = standard with
        {
            Name = yaml.Name ?? $"step-{index + 1}",
            PerSecond = perSecond,
            ShareOfMaximum = rate?.ShareOfMaximum,
            MinUsers = users?.Min ?? standard.MinUsers,
            MaxUsers = users?.Max ?? standard.MaxUsers,
            Backlog = backlog ?? 0,
            Duration = values.Duration("duration", yaml.Duration) ?? standard.Duration,
            Operations = values.Count("operations", yaml.Operations),
            ReadsPerSecond = values.Number("reads", yaml.Reads) ?? 0,
            Arrivals = values.Word<ArrivalPattern>("arrivals", yaml.Arrivals) ?? standard.Arrivals,
        };
        if (oscillate is { } wave)
            step = LoadSteps.Oscillating(step, wave.Min, wave.Max, values.Duration("period", yaml.Period));
        if (between is { } bounds)
            step =
                kind == LoadKind.Open
                    ? LoadSteps.WithBacklogBetween(step, bounds.Min, bounds.Max)
                    : throw values.Error("backlogBetween needs a rate at which the backlog grows");
        return ramp is null
            ? [step]
            : LoadSteps.Ramp(
                step,
                values.Share("rampFrom", yaml.RampFrom) ?? LoadSteps.RampFrom,
                values.Share("rampBy", yaml.RampBy) ?? LoadSteps.RampBy
            );
    }
}
