namespace Serdica.Perf.Workflows;

/// <summary>Starts children and waits until all have closed.</summary>
internal sealed class ChildrenStep<TState, TChild>(
    string name,
    WorkflowDefinition<TChild> definition,
    Func<TState, IEnumerable<TChild>> inputs,
    Func<TState, IReadOnlyList<ChildResult<TChild>>, StepContext, Next> onClosed) : Step<TState>(name)
    where TState : class
    where TChild : class
{
    public override WaitKinds Waits => WaitKinds.Child;

    public override Next Enter(TState state, Turn turn)
    {
        var children = new List<PendingChild>();
        foreach (var input in inputs(state))
            children.Add(new PendingChild { Id = turn.StartChild(definition, input) });

        if (children.Count == 0)
            return onClosed(state, [], turn.Context);

        turn.Progress = turn.Progress with { Children = children };
        return Next.Stay;
    }

    public override Next Resume(TState state, Turn turn, in BufferedSignal occurrence)
    {
        var bytes = occurrence.Payload;
        var report = ChildReport.Read(bytes);
        var children = turn.Progress.Children!
            .Select(child => child.Id == report.Child ? child with { Report = bytes } : child)
            .ToList();
        turn.Progress = turn.Progress with { Children = children };
        if (children.Exists(child => child.Report is null))
            return Next.Stay;

        turn.Progress = turn.Progress with { Children = null };
        return onClosed(state, [.. children.Select(child => Result(child.Report!))], turn.Context);
    }

    private ChildResult<TChild> Result(byte[] bytes)
    {
        var report = ChildReport.Read(bytes);
        return new ChildResult<TChild>(report.Child, report.Status, definition.ReadState(report.State), report.Error);
    }
}
