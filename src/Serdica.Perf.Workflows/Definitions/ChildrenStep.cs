namespace Serdica.Perf.Workflows;

/// <summary>Starts children and waits until all have closed.</summary>
internal sealed class ChildrenStep<TState, TChild>(
    string name,
    WorkflowDefinition<TChild> definition,
    Func<TState, IEnumerable<TChild>> inputs,
    Func<TState, IReadOnlyList<ChildResult<TChild>>, StepContext, Next> onClosed
) : Step<TState>(name)
    where TState : class
    where TChild : class
{
    public override WaitKinds Waits => WaitKinds.Child;

    public override Next Enter(TState state, Turn turn)
    {
        var first = turn.NewInstanceId();
        var count = 0;
        foreach (var input in inputs(state))
            turn.StartChild(definition, SortableId.Offset(first, count++), input);

        if (count == 0)
            return MovesOn(onClosed(state, [], turn.Context));

        turn.Progress = turn.Progress with { Children = new ChildFamily { First = first, Count = count } };
        return Next.Stay;
    }

    public override Next Resume(TState state, Turn turn, in BufferedSignal occurrence)
    {
        var family = turn.Progress.Children!.Close(ChildReport.Read(occurrence.Payload), occurrence.Payload, turn.MaxChildBytes);
        turn.Progress = turn.Progress with { Children = family };
        if (!family.AllClosed)
            return Next.Stay;

        var reports = turn.TakeReports(family);
        turn.Progress = turn.Progress with { Children = null };
        return MovesOn(onClosed(state, [.. reports.Select(Result)], turn.Context));
    }

    private ChildResult<TChild> Result(ChildReport report) =>
        new(report.Child, report.Status, definition.ReadState(report.State), report.Error);
}

/// <summary>How a child ended.</summary>
/// <param name="Status">Completed, Faulted or Cancelled.</param>
/// <param name="State">Its last state.</param>
/// <param name="Error">Why it faulted or was cancelled.</param>
public sealed record ChildResult<TChild>(Guid InstanceId, InstanceStatus Status, TChild State, string? Error);
