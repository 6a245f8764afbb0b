using System.Text.Json.Serialization;

namespace Serdica.Perf.Cli.Commands.Worker;

/// <summary>What a worker process is doing and has done since its start: a status line, and the answer to /counters.</summary>
internal sealed record WorkerStatus
{
    public required DateTimeOffset At { get; init; }

    /// <value>One of starting, running, stopping, stopped.</value>
    public required string State { get; init; }

    /// <value>Why the database does not answer; null while it does.</value>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Trouble { get; init; }

    /// <value>The sums over all hosts of the process.</value>
    public required HostCounters Counters { get; init; }

    [JsonIgnore]
    public bool IsHealthy => State == WorkerSession.Running && Trouble is null;

    /// <value>Activities that failed on purpose.</value>
    public long InjectedFailures { get; init; }

    public required ProcessUsage Process { get; init; }

    /// <value>Its clock and the database's; null before the first claim that found something.</value>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public HostClock? Clock { get; init; }

    /// <summary>The figures as those of a host.</summary>
    /// <param name="number">The number of the host, from 1.</param>
    public HostUsage ToHost(int number) => new(number, Process, Counters, InjectedFailures) { Clock = Clock };

    public static WorkerStatus Of(string state, string? trouble, DateTimeOffset at, IReadOnlyList<IHostedWork> workloads) =>
        new()
        {
            At = at,
            State = state,
            Trouble = trouble,
            Counters = EngineFigures.Sum(workloads.Select(workload => workload.Counters)),
            InjectedFailures = workloads.Sum(workload => workload.InjectedFailures),
            Process = ProcessUsage.Read(),
            Clock = workloads.Select(workload => workload.Clock).OfType<HostClock>().MinBy(clock => clock.UncertaintyMs),
        };
}
