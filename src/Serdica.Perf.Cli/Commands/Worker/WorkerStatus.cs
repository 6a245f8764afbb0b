using System.Text.Json.Serialization;
using Serdica.Perf.Measurement.Measuring;

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

    public long Batches { get; init; }

    public long Signals { get; init; }

    /// <value>Those of the signals that were decided in the commit that would otherwise have stored them.</value>
    public long DirectSignals { get; init; }

    public long EmptyClaims { get; init; }

    public long Conflicts { get; init; }

    public long HandlerFailures { get; init; }

    public long StaleSignals { get; init; }

    public long Deferred { get; init; }

    public long DeadLetters { get; init; }

    public long ActivityAttempts { get; init; }

    public long ActivityFailures { get; init; }

    /// <value>Calls of the database that failed and were repeated.</value>
    public long BackendFailures { get; init; }

    [JsonIgnore]
    public bool IsHealthy => State == WorkerSession.Running && Trouble is null;

    /// <value>Activities that failed on purpose.</value>
    public long InjectedFailures { get; init; }

    public required ProcessUsage Process { get; init; }

    /// <summary>The figures as those of a host.</summary>
    /// <param name="number">The number of the host, from 1.</param>
    public HostUsage ToHost(int number) =>
        new(
            number,
            Process,
            new()
            {
                Batches = Batches,
                Signals = Signals,
                DirectSignals = DirectSignals,
                EmptyClaims = EmptyClaims,
                Conflicts = Conflicts,
                HandlerFailures = HandlerFailures,
                StaleSignals = StaleSignals,
                Deferred = Deferred,
                DeadLetters = DeadLetters,
                ActivityAttempts = ActivityAttempts,
                ActivityFailures = ActivityFailures,
                BackendFailures = BackendFailures,
            },
            InjectedFailures
        );

    public static WorkerStatus Of(string state, string? trouble, DateTimeOffset at, IReadOnlyList<HostedWorkload> workloads)
    {
        var host = EngineFigures.Sum(workloads.Select(workload => workload.Counters));
        return new()
        {
            At = at,
            State = state,
            Trouble = trouble,
            Batches = host.Batches,
            Signals = host.Signals,
            DirectSignals = host.DirectSignals,
            EmptyClaims = host.EmptyClaims,
            Conflicts = host.Conflicts,
            HandlerFailures = host.HandlerFailures,
            StaleSignals = host.StaleSignals,
            Deferred = host.Deferred,
            DeadLetters = host.DeadLetters,
            ActivityAttempts = host.ActivityAttempts,
            ActivityFailures = host.ActivityFailures,
            BackendFailures = host.BackendFailures,
            InjectedFailures = workloads.Sum(workload => workload.InjectedFailures),
            Process = ProcessUsage.Read() with { Connections = ProcessConnections.Count() },
        };
    }
}
