using FsCheck;
using FsCheck.Fluent;

namespace Serdica.Perf.Workflows.Tests;

/// <summary>Decisions are pure: the same for the same input, whatever order disorder brings.</summary>
public sealed class TurnTests
{
    private static readonly WorkflowDefinition<Tally> Ordered = Workflow
        .Define<Tally>("ordered")
        .WaitFor<int>("a", (tally, number) => tally.Numbers.Add(number))
        .WaitFor<int>("b", (tally, number) => tally.Numbers.Add(number))
        .WaitFor<int>("c", (tally, number) => tally.Numbers.Add(number))
        .Build();

    [Fact]
    public void Any_order_and_any_batching_of_early_and_double_signals_ends_as_the_plain_order_does()
    {
        var disorder = Gen.Shuffle(new[] { "a", "b", "c" })
            .SelectMany(order => Gen.Choose(1, 3).ListOf(3), (order, cuts) => (Order: order, Cuts: cuts.ToArray()));

        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll(
                Arb.From(disorder),
                input =>
                {
                    var signals = new Queue<string>(input.Order.Concat(input.Order.Take(1)));
                    var record = Begin();
                    foreach (var size in input.Cuts.Append(10))
                    {
                        var batch = new List<string>();
                        while (batch.Count < size && signals.TryDequeue(out var name))
                            batch.Add(name);
                        if (batch.Count > 0 && !record.Status.IsClosed())
                            record = Decide(record, batch).Instance!;
                    }

                    return record.Status == InstanceStatus.Completed && Numbers(record).SequenceEqual([1, 2, 3]);
                }
            )
        );
    }

    [Fact]
    public void Deciding_twice_gives_the_same_decision()
    {
        var record = Begin();

        var first = Decide(record, ["b", "a"]);
        var second = Decide(record, ["b", "a"]);

        Assert.Equal(first.Instance!.State, second.Instance!.State);
        Assert.Equal(
            (first.Instance.Version, first.Instance.Step, first.Instance.Status, first.ExpectedVersion),
            (second.Instance.Version, second.Instance.Step, second.Instance.Status, second.ExpectedVersion)
        );
        Assert.Equal((2L, "c", 0L), (first.Instance.Version, first.Instance.Step, first.ExpectedVersion));
        Assert.Empty(Numbers(record));
    }

    [Fact]
    public void Undone_handler_brings_back_what_it_wanted_withdrawn()
    {
        // The first signal sets a timer; the second leaves that wait and then fails: the timer must still be sent.
        var definition = Workflow
            .Define<Tally>("undone")
            .WaitFor<int>("a", (_, _) => { })
            .WaitFor<int>("b", (_, _, _) => Next.Step, timeout: TimeSpan.FromMinutes(1), onTimeout: (_, _) => Next.Complete)
            .Do("fail", _ => throw new FormatException("No."))
            .Build();
        var begun = definition.BeginTurn(
            Environment(),
            new NewInstance(Guid.CreateVersion7(), null, null, null, Now),
            new Tally(),
            inline: false
        );
        begun.RunFirstSteps();

        var decision = Decide(begun.FinishStart().Instance!, ["a", "b"], definition);

        Assert.Equal("b", decision.Instance!.Step);
        Assert.Equal([SignalKind.Timer, SignalKind.Retry], decision.Sent!.Select(signal => signal.Kind).Order());
        Assert.Null(decision.Withdrawn?.FirstOrDefault());
    }

    private static DateTimeOffset Now { get; } = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private static InstanceRecord Begin()
    {
        var turn = Ordered.BeginTurn(
            Environment(),
            new NewInstance(Guid.CreateVersion7(), null, null, null, Now),
            new Tally(),
            inline: false
        );
        turn.RunFirstSteps();
        return turn.FinishStart().Instance!;
    }

    private static Decision Decide(InstanceRecord record, List<string> names, WorkflowDefinition<Tally>? definition = null)
    {
        var claimed = new ClaimedInstance(record);
        claimed.Signals.AddRange(
            names.Select(name => new Signal
            {
                Id = SortableId.Next(Now),
                InstanceId = record.Id,
                Kind = SignalKind.External,
                Name = name,
                Payload = JsonSerializer.SerializeToUtf8Bytes(name[0] - 'a' + 1),
            })
        );
        return (definition ?? Ordered).ContinueTurn(Environment(), claimed, Now).Decision;
    }

    private static List<int> Numbers(InstanceRecord record) =>
        JsonSerializer.Deserialize<Tally>(record.State, WorkflowJson.Options)!.Numbers;

    private static TurnEnvironment Environment() => new(new WorkflowOptions(), new ManualTimeProvider());
}
