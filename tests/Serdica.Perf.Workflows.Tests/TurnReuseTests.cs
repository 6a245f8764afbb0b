using System.Reflection;

namespace Serdica.Perf.Workflows.Tests;

/// <summary>A turn serves one instance after another: what one left behind would be the next one's.</summary>
public sealed class TurnReuseTests
{
    private static readonly DateTimeOffset Now = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private static readonly TurnEnvironment Environment = new(
        new WorkflowOptions { SignalRetry = new RetryPolicy { MaxAttempts = 1 } },
        new ManualTimeProvider()
    )
    {
        CanRunActivity = () => true,
        FindChildren = family => family.Count == 1 ? null : [Stored("only", closed: true), Stored("only", closed: true)],
    };

    private static readonly WorkflowDefinition<Tally> Child = Workflow.Define<Tally>("child").Do("only", _ => { }).Build();

    private static readonly WorkflowDefinition<Tally> Definition = Workflow
        .Define<Tally>("all-of-it")
        .Activity("inline", (_, _) => Task.CompletedTask, new ActivityOptions { InlineAtStart = true })
        .WaitFor<int>("go", (tally, number) => tally.Numbers.Add(number))
        .Activity("run", (_, _) => Task.CompletedTask)
        .WaitFor<int>("fail", (_, _) => throw new FormatException("No."))
        .Children("ask", Child, _ => [new Tally()], (_, _, _) => Next.Step)
        .WaitFor<int>("end", (_, _, _) => Next.Fault("Enough."))
        .Build();

    /// <summary>Every field: one that somebody adds must be used by a turn here, and be clean after it.</summary>
    [Fact]
    public void Nothing_of_an_instance_is_left_in_a_turn_that_has_ended()
    {
        var fields = Fields(typeof(Turn<Tally>)).Where(field => field.FieldType != typeof(WorkflowDefinition<Tally>)).ToList();
        var clean = fields.ToDictionary(field => field.Name, field => Text(field.GetValue(new Turn<Tally>(Definition))));
        var used = new HashSet<string>();

        foreach (var turn in Turns())
        {
            used.UnionWith(fields.Where(field => Text(field.GetValue(turn)) != clean[field.Name]).Select(field => field.Name));
            turn.Reset();
            EachItem.Holds(fields, field => Assert.Equal((field.Name, clean[field.Name]), (field.Name, Text(field.GetValue(turn)))));
        }

        Assert.Equal(clean.Keys.Order(), used.Order());
    }

    [Fact]
    public void Decision_that_was_taken_is_not_the_next_turn_s()
    {
        var turn = Definition.BeginTurn(Environment, Origin(), new Tally(), inline: false);
        turn.RunFirstSteps();
        var decision = turn.FinishStart();
        var (instance, sent) = (decision.Instance, decision.Sent!.Count);

        turn.End();

        Assert.Equal((instance, sent), (decision.Instance, decision.Sent!.Count));
    }

    [Fact]
    public void Turn_ends_once()
    {
        var turn = Definition.BeginTurn(Environment, Origin(), new Tally(), inline: false);
        turn.End();

        Assert.Throws<InvalidOperationException>(turn.End);
    }

    /// <summary>Turns that have between them used all that a turn has.</summary>
    private static IEnumerable<Turn<Tally>> Turns()
    {
        var inline = Definition.BeginTurn(Environment, Origin(), new Tally(), inline: true);
        inline.RunFirstSteps();
        yield return inline;

        yield return Definition.BeginTurn(Environment, Origin() with { Depth = 1 }, new Tally(), inline: false);
        yield return Continue("go", "go", SignalKind.External);
        yield return Continue("fail", "fail", SignalKind.External);
        yield return ContinueWithLastChild(of: 1);
        yield return ContinueWithLastChild(of: 2);
        yield return Continue("end", "end", SignalKind.External);
        yield return Continue("end", "of another time", SignalKind.Timer);
        yield return ContinueWithoutTime();
    }

    /// <summary>One handler takes all the time that there is for kept signals and others.</summary>
    private static Turn<Tally> ContinueWithoutTime()
    {
        var environment = new TurnEnvironment(new WorkflowOptions(), new ManualTimeProvider()) { TurnLimit = TimeSpan.Zero, CallBegan = 1 };
        var stored = Stored("go");
        var signal = new Signal
        {
            Id = Guid.CreateVersion7(),
            InstanceId = stored.Id,
            Kind = SignalKind.External,
            Name = "go",
            Payload = "1"u8.ToArray(),
        };
        var kept = new Progress { Inbox = [BufferedSignal.Of(signal with { Name = "fail" })] };
        var claimed = new ClaimedInstance(stored with { Progress = kept.Write() });
        claimed.Signals.AddRange(signal, signal with { Id = Guid.CreateVersion7() });
        return (Turn<Tally>)Definition.ContinueTurn(environment, claimed, Now);
    }

    private static Turn<Tally> Continue(string step, string signal, SignalKind kind)
    {
        var claimed = new ClaimedInstance(Stored(step));
        claimed.Signals.Add(
            new Signal
            {
                Id = Guid.CreateVersion7(),
                InstanceId = claimed.Instance.Id,
                Kind = kind,
                Name = signal,
                Payload = "1"u8.ToArray(),
            }
        );
        return (Turn<Tally>)Definition.ContinueTurn(Environment, claimed, Now);
    }

    /// <summary>All others have closed, and the results are read from the database.</summary>
    private static Turn<Tally> ContinueWithLastChild(int of)
    {
        var family = new ChildFamily { First = Guid.CreateVersion7(), Count = of, Closed = [(byte)(of - 1)], IsRead = true };
        var report = new ChildReport { Child = family.IdOf(of - 1), State = "{}"u8.ToArray() };
        var claimed = new ClaimedInstance(Stored("ask") with { Progress = new Progress { Children = family }.Write() });
        claimed.Signals.Add(
            new Signal
            {
                Id = Guid.CreateVersion7(),
                InstanceId = claimed.Instance.Id,
                Kind = SignalKind.ChildClosed,
                Name = Child.Name,
                Payload = report.Write(),
            }
        );
        return (Turn<Tally>)Definition.ContinueTurn(Environment, claimed, Now);
    }

    private static InstanceRecord Stored(string step, bool closed = false) =>
        new()
        {
            Id = Guid.CreateVersion7(),
            Definition = Definition.Name,
            DefinitionVersion = 1,
            ParentId = Guid.CreateVersion7(),
            Status = closed ? InstanceStatus.Completed : InstanceStatus.Running,
            Step = step,
            Version = 3,
            State = "{}"u8.ToArray(),
        };

    private static NewInstance Origin() => new(Guid.CreateVersion7(), "a key", null, null, Now);

    private static IEnumerable<FieldInfo> Fields(Type? type)
    {
        for (; type != typeof(object); type = type!.BaseType)
        {
            foreach (
                var field in type!.GetFields(
                    BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public | BindingFlags.DeclaredOnly
                )
            )
                yield return field;
        }
    }

    /// <summary>What the value holds; a decision that is empty is none.</summary>
    private static string Text(object? value) =>
        value switch
        {
            null => "none",
            byte[] bytes => Encoding.UTF8.GetString(bytes),
            Decision
            {
                Instance: null,
                ExpectedVersion: -1,
                Started: null,
                Sent: null,
                Withdrawn: null,
                DeadLetters: null,
                Continued: null
            } => "none",
            _ => value.ToString()!,
        };
}
