using Serdica.Perf.Measurement.Measuring;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.Running;

/// <summary>Hears how a run goes on. Called by one caller at a time.</summary>
public interface IRunObserver
{
    /// <summary>A sentence for people, for instance that a server is being started.</summary>
    void Note(string sentence);

    /// <summary>A scenario begins; <paramref name="progress"/> tells how far it is until it has ended.</summary>
    void ScenarioStarted(ScenarioProgress progress);

    void ScenarioEnded(ScenarioResult result);
}
