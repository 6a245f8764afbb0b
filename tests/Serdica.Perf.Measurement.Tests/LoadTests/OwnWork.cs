namespace Serdica.Perf.Measurement.Tests.LoadTests;

/// <summary>A workflow as users write them. One of its operations fails after its instance has completed.</summary>
internal static class OwnWork
{
    public const string Name = "order";

    private const int Failing = 20;

    private static readonly WorkflowScenario<Order> Own = new()
    {
        Name = Name,
        Description = "One operation fails.",
        Definition = Workflow
            .Define<Order>(Name)
            .Do("place", order => order.Placed++)
            .WaitFor<int>("paid", (order, cents) => order.Cents = cents)
            .Build(),
        Start = operation => new Order { Number = operation },
        Signal = async (client, id, operation, cancellationToken) =>
        {
            var outcome = await Pay(client, id, operation, cancellationToken);
            return operation == Failing ? throw new InvalidOperationException("It was to fail.") : outcome;
        },
        IsExpected = (order, operation) => order.Placed == 1 && order.Number == operation && order.Cents == operation,
    };

    public static Scenario Scenario { get; } = Own.ToScenario();

    /// <summary>Without a failure, and with a state in JSON of its own.</summary>
    public static Scenario Snake { get; } =
        (
            Own with
            {
                Definition = Workflow
                    .Define<Order>(Name)
                    .UseJson(new(JsonSerializerOptions.Web) { PropertyNamingPolicy = JsonNamingPolicy.KebabCaseUpper })
                    .Do("place", order => order.Placed++)
                    .WaitFor<int>("paid", (order, cents) => order.Cents = cents)
                    .Build(),
                Signal = Pay,
            }
        ).ToScenario();

    /// <summary>Without a failure, and with a check that throws.</summary>
    public static Scenario Throwing { get; } =
        (Own with { Signal = Pay, IsExpected = (_, _) => throw new InvalidOperationException("No items.") }).ToScenario();

    /// <summary>This work with operations that do not know which of them completed.</summary>
    public static Scenario Blind { get; } = Scenario with { CreateWorkload = (store, _) => new BlindWorkload(store) };

    private static Task<PublishOutcome> Pay(WorkflowClient client, Guid id, int operation, CancellationToken cancellationToken) =>
        client.SignalAsync(id, "paid", operation, cancellationToken: cancellationToken);

    private sealed class BlindWorkload(IScenarioStore store) : HostedWorkload(store, new WorkflowOptions { Workers = 1 })
    {
        public override bool CanBeEndless => true;

        protected override IReadOnlyList<WorkflowDefinition> Definitions => [Own.Definition];

        public override OperationSet CreateOperations(int count, bool warmUp) =>
            new BlindOperations(
                count,
                new RoundtripOperations<Order>(count, Backend, Client, Own.Definition, Own.Start, Own.Signal, (operation, record) =>
                    Expect.State<Order>(record, order => Own.IsExpected(order, operation))
                )
            );
    }

    private sealed class BlindOperations(int count, OperationSet operations) : OperationSet(count)
    {
        public override ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken) =>
            operations.LaunchAsync(operation, cancellationToken);

        public override Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
            operations.VerifyAsync(launched, cancellationToken);
    }

    public sealed class Order
    {
        public int Number { get; set; }

        public int Placed { get; set; }

        public int Cents { get; set; }
    }
}
