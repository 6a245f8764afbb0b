namespace Serdica.Perf.Faults.Workload;

/// <summary>
/// The workflow of the fault tier. Its state says which parts it has: a gate, signals, a timer, an activity, children, continuations.
/// It writes down what it has handled, for the checker. It has two versions, and each refuses the instances of the other.
/// </summary>
internal static class ShapedWorkflow
{
    public const string Name = "shaped";

    /// <summary>The signal that opens the gate.</summary>
    public const string Begin = "begin";

    /// <summary>The signal that is written down.</summary>
    public const string Append = "append";

    /// <summary>The version that all hosts have at first.</summary>
    public static IReadOnlyList<int> Old { get; } = [1];

    /// <summary>The version of an upgrade, alone.</summary>
    public static IReadOnlyList<int> New { get; } = [2];

    public static IReadOnlyList<int> Both { get; } = [.. Old, .. New];

    /// <summary>Parent and child definitions of some versions, to be registered together.</summary>
    /// <param name="versions">Those of <see cref="Old"/> when not given.</param>
    /// <param name="retry">Of the activities; the engine's default when not given.</param>
    public static IReadOnlyList<WorkflowDefinition> Definitions(
        EffectRecorder effects,
        IReadOnlyList<int>? versions = null,
        RetryPolicy? retry = null
    )
    {
        var options = new ActivityOptions { Retry = retry ?? RetryPolicy.Default };
        return [.. (versions ?? Old).SelectMany(version => Definitions(effects, version, options))];
    }

    private static IEnumerable<WorkflowDefinition> Definitions(EffectRecorder effects, int version, ActivityOptions options)
    {
        void Take(ShapeState state, TakenResult result)
        {
            Demand(state, version);
            state.Results.Add(result);
        }

        var child = Workflow
            .Define<ShapeState>("shaped-child", version)
            .Activity("child-work", (_, context) => effects.RunAsync("child-work", context), Take, options)
            .Build();
        var begin = Workflow.Define<ShapeState>(Name, version);

        // The new version has a step more, so that the same step is in another place.
        if (New.Contains(version))
            begin = begin.Do("prepare", state => state.Code = version);
        var parent = begin
            .Do(
                "enter",
                (state, context) =>
                {
                    state.Code = version;
                    state.Self = context.InstanceId;
                    return state.Gated ? Next.Step : Next.GoTo("take");
                }
            )
            .WaitFor<string>("gate", (state, key, _) => Write(state, version, key, Next.Step), signal: Begin)
            .Do("take", state => state.Takes > 0 ? Next.Step : Next.GoTo("time"))
            .WaitFor<string>(
                Append,
                (state, key, _) =>
                    Write(state, version, key, state.Applied.Count + 1 < state.Takes + (state.Gated ? 1 : 0) ? Next.Stay : Next.Step)
            )
            .Do("time", state => state.Pause > 0 ? Next.Step : Next.GoTo("act"))
            .Delay("pause", (state, _) => Due.After(FromMilliseconds(state.Pause)))
            .Do("act", state => state.Works ? Next.Step : Next.GoTo("bear"))
            .Activity("work", (_, context) => effects.RunAsync("work", context), Take, options)
            .Do("bear", state => state.Children > 0 ? Next.Step : Next.GoTo("end"))
            .Children(
                "children",
                child,
                state => Enumerable.Range(0, state.Children).Select(_ => new ShapeState { Code = version, Works = true }),
                (state, results, _) =>
                {
                    state.Closed = [.. results.Select(result => result.InstanceId)];
                    return results.FirstOrDefault(result => result.Status != InstanceStatus.Completed) is { } failed
                        ? Next.Fault($"Child {failed.InstanceId} is {failed.Status}.")
                        : Next.Step;
                }
            )
            .Do("end", state => state.Rounds > 0 ? Next.Step : Next.Complete)
            .ContinueWith(
                "continue",
                Name,
                (ShapeState state) =>
                    new ShapeState
                    {
                        Root = state.Root ?? state.Self,
                        Round = state.Round + 1,
                        Takes = state.Takes,
                        Pause = state.Pause,
                        Works = state.Works,
                        Rounds = state.Rounds - 1,
                    }
            )
            .Build();
        return [parent, child];
    }

    private static Next Write(ShapeState state, int version, string key, Next next)
    {
        Demand(state, version);
        if (LedgerState.IsPoison(key))
            throw new InvalidOperationException($"'{key}' is poison.");
        state.Applied.Add(key);
        return next;
    }

    /// <summary>A handler that fails makes its signal a dead letter, which the checker finds.</summary>
    private static void Demand(ShapeState state, int version)
    {
        if (state.Code != version)
            throw new InvalidOperationException($"Version {version} was given an instance of version {state.Code}.");
    }
}
