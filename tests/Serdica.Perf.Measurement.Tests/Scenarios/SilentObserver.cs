namespace Serdica.Perf.Measurement.Tests.Scenarios;

internal sealed class SilentObserver : IRunObserver
{
    public ConcurrentQueue<string> Notes { get; } = new();

    public void Note(string sentence) => Notes.Enqueue(sentence);

    public void ScenarioStarted(ScenarioProgress progress) { }

    public void ScenarioEnded(ScenarioResult result, JudgedStep? judged) { }
}
