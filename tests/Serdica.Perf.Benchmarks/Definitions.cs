namespace Serdica.Perf.Benchmarks;

/// <summary>The definition of the signal round trip: a step, a wait, a step.</summary>
internal static class Definitions
{
    public static WorkflowDefinition<Counter> Roundtrip { get; } =
        Workflow
            .Define<Counter>("roundtrip")
            .Do("first", counter => counter.Value++)
            .WaitFor<int>("go", (counter, number) => counter.Value += number)
            .Do("last", counter => counter.Value++)
            .Build();
}
