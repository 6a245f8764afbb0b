using System.Diagnostics;
using Serdica.Perf.Measurement.Recording;

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>A load under way, and what is known of it when its arrivals have ended.</summary>
internal sealed class DrivenLoad(LoadStep step, OperationLog? log = null)
{
    public StepRecorder Recorder { get; } = new(log);

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

    /// <summary>How long operations arrived.</summary>
    public double ArrivalSeconds { get; private set; }

    /// <summary>Of a backlog that was to swing; null of others.</summary>
    public OscillationFigures? Oscillation { get; set; }

    public bool GivenUp { get; set; }

    /// <summary>The reads beside it; null when there are none.</summary>
    public DrivenLoad? Reads { get; set; }
}
