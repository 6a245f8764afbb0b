namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>The figures of a step, before it is judged.</summary>
internal static class StepFigures
{
    /// <param name="shape">What the workflow does; null for one of a project.</param>
    public static StepResult Of(LoadStep step, DrivenLoad load, MeasuredLoad run, WorkShape? shape)
    {
        var (outcome, measured, audit) = (run.Outcome, run.Measurement.Result, run.Audit);
        var planned = load.Planned.TotalSeconds;
        var elapsed = load.Recorder.ToLastCompletion.TotalSeconds;
        var offered = outcome.Offered;
        var completedPerSecond = Rate(outcome.Completed, outcome.Window.TotalSeconds);
        return new()
        {
            Name = step.Title,
            Repeat = step.Repeat ?? 1,
            Kind = step.Kind,
            Scenario = measured.Name,
            TargetPerSecond = step.BacklogBetween is null ? step.PerSecond : null,
            OfferedPerSecond = step.Kind == LoadKind.Open ? Rate(offered, planned) : null,
            StartedPerSecond = Rate(outcome.Started, Math.Max(planned, load.Recorder.ToLastStart.TotalSeconds)),
            CompletedPerSecond = completedPerSecond,
            BytesPerSecond = shape is null
                ? null
                : completedPerSecond * (shape.Trigger == WorkTrigger.Event ? shape.PayloadBytes : shape.StateBytes) * shape.FanOut,
            PlannedSeconds = planned,
            ElapsedSeconds = elapsed,
            DrainSeconds = Math.Max(
                0,
                load.Recorder.Elapsed(run.DrainEnd).TotalSeconds - Math.Max(planned, load.Recorder.ToLastStart.TotalSeconds)
            ),
            DrainLimitReached = outcome.Stalled,
            Counts = new()
            {
                Offered = offered,
                Started = outcome.Started,
                Completed = outcome.Completed,
                Failed = outcome.Failed,
                Running = outcome.Running,
                InjectedFailures = load.InjectedFailures,
                Late = outcome.Late,
                Dropped = outcome.Dropped,
            },
            Response = measured.ResponseTime,
            Service = measured.ServiceTime,
            UntilFailure = measured.Phases.GetValueOrDefault(PhaseNames.UntilFailure, LatencySummary.Empty),
            ScheduleLag = outcome.ScheduleLag!.Summarize(),
            GeneratorLag = outcome.GeneratorLag.Summarize(),
            QueueTime = measured.Phases.GetValueOrDefault(PhaseNames.QueueTime, LatencySummary.Empty),
            MinUsers = step.MinUsers,
            MaxUsers = step.Kind == LoadKind.Open ? step.MaxUsers : step.MinUsers,
            PeakUsers = load.Users,
            Contamination = Left(audit.Before),
            Oscillation = load.Oscillation,
            Alternates = step.Wave is not null,
            Backlog = step.Kind == LoadKind.Open ? load.Recorder.Backlog.Points(load.Planned) : [],
            GivenUp = load.GivenUp,
            EndedEarly = load.EndedEarly,
            UsedUp = load.Driver.UsedUp && outcome.Started < (step.Operations ?? int.MaxValue),
            Errors = load.Recorder.Errors.Snapshot(),
            CommitsPerOperation = measured.CostPerOperation.GetValueOrDefault(MetricNames.Commits)?.Value,
            ConflictsPerOperation = outcome.Completed == 0 ? null : (double)audit.Host.Conflicts / outcome.Completed,
            EmptyClaimsPerOperation = outcome.Completed == 0 ? null : (double)audit.Host.EmptyClaims / outcome.Completed,
            Hosts = measured.Processes?.Hosts ?? [],
            Reads = load.Reads is { Recorder: var reads }
                ? new(
                    step.ReadsPerSecond,
                    Rate(reads.Completed + reads.Failed, load.Reads.Window.TotalSeconds),
                    reads.Completed,
                    reads.Failed,
                    reads.Response.Snapshot().Summarize(),
                    load.Reads.Driver.Offered
                )
                : null,
        };
    }

    /// <summary>What others have left in a store that may still be worked on.</summary>
    internal static long Left(BackendCensus census) => census.Open + census.SignalsDue + census.SignalsLater + census.Messages;

    private static double Rate(long count, double seconds) => seconds > 0 ? count / seconds : 0;
}
