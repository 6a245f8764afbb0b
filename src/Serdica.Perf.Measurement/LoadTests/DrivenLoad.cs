using System.Diagnostics;
using Serdica.Perf.Measurement.Driving;
using Serdica.Perf.Results.LoadTests;
using Serdica.Perf.Results.Profiles;
using Serdica.Perf.Results.Recording;

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>A load under way, and what is known of it when its arrivals have ended.</summary>
internal sealed class DrivenLoad(LoadStep step, OperationLog? log = null)
{
    public StepRecorder Recorder { get; } = new(log: log);

    /// <summary>The most users in use at once.</summary>
    public int Users { get; set; } = step.MinUsers;

    /// <summary>Arrivals of the schedule that were taken from it.</summary>
    public long Offered
    {
        get;
        set
        {
            field = value;
            ArrivalSeconds = Stopwatch.GetElapsedTime(Recorder.Begin).TotalSeconds;
        }
    }

    /// <summary>When the last of them was due.</summary>
    public long LastDue { get; set; }

    /// <summary>How long operations arrived.</summary>
    public double ArrivalSeconds { get; private set; }

    /// <summary>Of a backlog that was to swing; null of others.</summary>
    public OscillationFigures? Oscillation { get; set; }

    public bool GivenUp { get; set; }

    /// <summary>Activities that have failed because they were to, from its begin to the end of its drain.</summary>
    public long InjectedFailures { get; set; }

    /// <summary>Whether a closed load had begun all the operations that there are before its time was over.</summary>
    public bool UsedUp { get; set; }

    /// <summary>How long operations were to be begun: where a number of them ends a step sooner, until they were begun.</summary>
    public TimeSpan Planned => step switch
    {
        { Kind: LoadKind.BurnDown } => TimeSpan.Zero,
        { Kind: LoadKind.Closed } => UsedUp ? Recorder.ToLastStart : step.Duration,
        { Operations: { } operations, PerSecond: { } rate } when Offered == operations =>
            TimeSpan.FromSeconds(Math.Min(step.Duration.TotalSeconds, Math.Max(operations / rate, Stopwatch.GetElapsedTime(Recorder.Begin, LastDue).TotalSeconds))),
        _ => step.Duration,
    };

    /// <summary>What the step's rates are over: the planned time, or that to the last completion where it is longer.</summary>
    public TimeSpan Window => Recorder.ToLastEnd > Planned ? Recorder.ToLastEnd : Planned;

    /// <summary>The reads beside it; null when there are none.</summary>
    public DrivenLoad? Reads { get; set; }
}
