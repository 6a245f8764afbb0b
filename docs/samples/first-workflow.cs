#:project ../../src/Serdica.Perf.Workflows/Serdica.Perf.Workflows.csproj
#:project ../../src/Serdica.Perf.Workflows.PostgreSql/Serdica.Perf.Workflows.PostgreSql.csproj
#:property PublishAot=false

using Serdica.Perf.Workflows;

var definition = Workflow
    .Define<Order>("order")
    .Activity("reserve", (order, context) => Console.Out.WriteLineAsync($"reserve {order.Item}, idempotency key {context.ActivityId}"))
    .WaitFor<int>("paid", (order, cents) => order.PaidCents = cents)
    .Do("ship", order => order.Shipped = true)
    .Build();

await using IWorkflowBackend backend = new InMemoryWorkflowBackend();

// On PostgreSQL, instead of the line above, with `using Serdica.Perf.Workflows.PostgreSql;`:
// await using IWorkflowBackend backend = new PostgreSqlWorkflowBackend("Host=...;Database=...;Username=...");
await using var host = new WorkflowHost(backend, new WorkflowRegistry([definition]));
await host.StartAsync(CancellationToken.None);

var order = await host.Client.StartAsync("order", new Order { Item = "tea" }, businessKey: "order-4711");
await host.Client.SignalAsync(order.Id, "paid", 995);
await host.Client.WaitForCloseAsync(order.Id);

var done = (await host.Client.GetAsync<Order>(order.Id))!;
Console.WriteLine($"{done.Record.Status}, version {done.Record.Version}: paid {done.State.PaidCents}, shipped {done.State.Shipped}");

internal sealed class Order
{
    public required string Item { get; init; }
    public int PaidCents { get; set; }
    public bool Shipped { get; set; }
}
