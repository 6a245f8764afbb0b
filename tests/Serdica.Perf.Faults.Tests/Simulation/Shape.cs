namespace Serdica.Perf.Faults.Tests.Simulation;

/// <summary>What one client does in a simulated run: a few calls, between which others may do something.</summary>
internal sealed class Shape(string name, Func<ShapeClient, IAsyncEnumerable<bool>> script)
{
    public static IReadOnlyList<Shape> All { get; } =
    [
        new("signals", client => AppendAsync(client, new ShapeState { Takes = 3, Expects = 3 }, 3)),
        new("buffered signals", BufferedAsync),
        new("timer", client => AppendAsync(client, new ShapeState { Takes = 1, Expects = 1, Pause = 700 }, 1)),
        new("timer at the start", client => AppendAsync(client, new ShapeState { Pause = 500 }, 0)),
        new("activity", client => AppendAsync(client, new ShapeState { Takes = 1, Expects = 1, Works = true }, 1)),
        new("activity at the start", client => AppendAsync(client, new ShapeState { Works = true }, 0)),
        new("children", client => AppendAsync(client, new ShapeState { Takes = 1, Expects = 1, Children = 2 }, 1)),
        new("continuation", client => AppendAsync(client, new ShapeState { Takes = 1, Expects = 3, Works = true, Rounds = 2 }, 3)),
        new("cancellation", CancelAsync),
        new("repeats", RepeatAsync),
        new("poison", PoisonAsync),
    ];

    public string Name { get; } = name;

    public IAsyncEnumerable<bool> Run(ShapeClient client) => script(client);

    public override string ToString() => Name;

    private static async IAsyncEnumerable<bool> AppendAsync(ShapeClient client, ShapeState state, int signals)
    {
        var id = await client.StartAsync(state);
        yield return true;
        for (var i = 0; i < signals; i++)
        {
            await client.SignalAsync(id, ShapedWorkflow.Append, $"{client.Name}-{i}");
            yield return true;
            await client.ReadAsync(id);
        }
    }

    private static async IAsyncEnumerable<bool> BufferedAsync(ShapeClient client)
    {
        var id = await client.StartAsync(new ShapeState { Gated = true, Takes = 2, Expects = 3 });
        yield return true;
        await client.SignalAsync(id, ShapedWorkflow.Append, $"{client.Name}-0");
        yield return true;
        await client.SignalAsync(id, ShapedWorkflow.Append, $"{client.Name}-1");
        yield return true;
        await client.SignalAsync(id, ShapedWorkflow.Begin, $"{client.Name}-begin");
    }

    private static async IAsyncEnumerable<bool> CancelAsync(ShapeClient client)
    {
        var id = await client.StartAsync(new ShapeState { Takes = 3, Expects = 3 });
        yield return true;
        await client.SignalAsync(id, ShapedWorkflow.Append, $"{client.Name}-0");
        yield return true;
        await client.CancelAsync(id, $"{client.Name}-cancel");
        yield return true;
        await client.SignalAsync(id, ShapedWorkflow.Append, $"{client.Name}-1");
    }

    private static async IAsyncEnumerable<bool> RepeatAsync(ShapeClient client)
    {
        var id = await client.StartAsync(new ShapeState { Takes = 2, Expects = 2 });
        yield return true;
        await client.StartAsync(new ShapeState { Takes = 2, Expects = 2 });
        yield return true;
        for (var i = 0; i < 2; i++)
        {
            await client.SignalAsync(id, ShapedWorkflow.Append, $"{client.Name}-{i}");
            yield return true;
            await client.SignalAsync(id, ShapedWorkflow.Append, $"{client.Name}-{i}");
            yield return true;
        }
    }

    private static async IAsyncEnumerable<bool> PoisonAsync(ShapeClient client)
    {
        var id = await client.StartAsync(new ShapeState { Takes = 1, Expects = 1 });
        yield return true;
        await client.SignalAsync(id, ShapedWorkflow.Append, $"poison-{client.Name}");
        yield return true;
        await client.SignalAsync(id, ShapedWorkflow.Append, $"{client.Name}-0");
    }
}
