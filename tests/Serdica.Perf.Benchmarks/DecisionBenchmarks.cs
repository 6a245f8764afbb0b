namespace Serdica.Perf.Benchmarks;

/// <summary>What does the engine need to decide one signal: state read, two steps, state written, no database?</summary>
public class DecisionBenchmarks
{
    private static readonly DateTimeOffset Now = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private readonly TurnEnvironment _environment = new(new WorkflowOptions(), TimeProvider.System);
    private ClaimedInstance _claimed = null!;

    [GlobalSetup]
    public void Setup()
    {
        var origin = new NewInstance(_environment.NewId(), null, null, null, Now);
        var turn = Definitions.Roundtrip.BeginTurn(_environment, origin, new Counter(), inline: true);
        turn.RunFirstSteps();
        _claimed = new ClaimedInstance(turn.FinishStart().Instance!);
        _claimed.Signals.Add(
            new Signal
            {
                Id = _environment.NewId(),
                InstanceId = origin.Id,
                Kind = SignalKind.External,
                Name = "go",
                Payload = "1"u8.ToArray(),
            }
        );
    }

    [Benchmark]
    public InstanceRecord Decide()
    {
        var turn = Definitions.Roundtrip.ContinueTurn(_environment, _claimed, Now);
        var decided = turn.Decision.Instance!;
        turn.End();
        return decided;
    }
}
