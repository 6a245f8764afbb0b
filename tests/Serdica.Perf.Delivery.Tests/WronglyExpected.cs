using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>A scenario that the command line finds in this assembly. It expects one state that is not left.</summary>
public static class WronglyExpected
{
    private const int WrongOperation = 3;

    public static Scenario Scenario { get; } =
        new WorkflowScenario<Visit>
        {
            Name = "wrongly-expected",
            Description = "The state of one instance is not as expected.",
            Definition = Workflow.Define<Visit>("visit").WaitFor<int>("arrived", (visit, minute) => visit.Minute = minute).Build(),
            Start = operation => new Visit(),
            Signal = (client, id, operation, cancellationToken) =>
                client.SignalAsync(id, "arrived", operation, cancellationToken: cancellationToken),
            IsExpected = (visit, operation) => operation != WrongOperation && visit.Minute == operation,
            Operations = 10,
        }.ToScenario();

    public sealed class Visit
    {
        public int Minute { get; set; }
    }
}
