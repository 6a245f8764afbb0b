namespace Serdica.Perf.Measurement.Tests.Scenarios;

internal sealed class SilentObserver : IRunObserver
{
    public void Note(string sentence) { }

    public void ScenarioStarted(ScenarioProgress progress) { }

    public void ScenarioEnded(ScenarioResult result, JudgedStep? judged) { }
}
