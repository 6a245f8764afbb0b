namespace Serdica.Perf.Workflows;

/// <summary>Where a definition begins: <c>Workflow.Define&lt;Order&gt;("order", version: 1)...Build()</c>.</summary>
public static class Workflow
{
    /// <param name="name">Stored with each instance; up to 200 characters.</param>
    /// <param name="version">
    /// Instances go on with the version that they started with, so register old versions as long as they live.
    /// </param>
    /// <typeparam name="TState">Read and written by System.Text.Json between turns.</typeparam>
    public static WorkflowBuilder<TState> Define<TState>(string name, int version = 1)
        where TState : class => new(name, version);
}

/// <summary>Collects the steps of a definition in their order. Step names are unique and are stored.</summary>
public sealed class WorkflowBuilder<TState>
    where TState : class
{
    private readonly List<Step<TState>> _steps = [];
    private readonly HashSet<string> _names = new(StringComparer.Ordinal);
    private readonly string _name;
    private readonly int _version;
    private JsonSerializerOptions _json = WorkflowJson.Options;

    internal WorkflowBuilder(string name, int version)
    {
        Names.Check(name, "definition name");
        ArgumentOutOfRangeException.ThrowIfLessThan(version, 1);
        _name = name;
        _version = version;
    }

    /// <summary>Reads and writes state and payloads with these options; call it before the first step.</summary>
    public WorkflowBuilder<TState> UseJson(JsonSerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (_steps.Count > 0)
            throw new InvalidOperationException($"Definition '{_name}': UseJson must come before the first step.");
        _json = options;
        return this;
    }

    /// <summary>A step of pure code: it may change the state and nothing else, for it may be run again.</summary>
    public WorkflowBuilder<TState> Do(string step, Action<TState> run) => Do(step, (state, _) =>
        {
            run(state);
            return Next.Step;
        });

    /// <inheritdoc cref="Do(string, Action{TState})"/>
    public WorkflowBuilder<TState> Do(string step, Func<TState, Next> run) => Do(step, (state, _) => run(state));

    /// <inheritdoc cref="Do(string, Action{TState})"/>
    public WorkflowBuilder<TState> Do(string step, Func<TState, StepContext, Next> run) => Add(new CodeStep<TState>(step, run));

    /// <summary>Waits for an external signal of the step's name. One that came early is taken at once.</summary>
    public WorkflowBuilder<TState> WaitFor<TPayload>(string step, Action<TState, TPayload> handle) =>
        WaitFor<TPayload>(step, (state, payload, _) =>
        {
            handle(state, payload);
            return Next.Step;
        });

    /// <inheritdoc cref="WaitFor{TPayload}(string, Action{TState, TPayload})"/>
    public WorkflowBuilder<TState> WaitFor<TPayload>(string step, Func<TState, TPayload, Next> handle) =>
        WaitFor<TPayload>(step, (state, payload, _) => handle(state, payload));

    /// <inheritdoc cref="WaitFor{TPayload}(string, Action{TState, TPayload})"/>
    /// <param name="step">Name of the step.</param>
    /// <param name="handle">Takes the payload; the default value when the signal has none.</param>
    /// <param name="signal">Name of the signal, when it is not the step's.</param>
    /// <param name="timeout">How long to wait, by the database's clock; for ever when not given.</param>
    /// <param name="onTimeout">Where to go then; given together with <paramref name="timeout"/>.</param>
    public WorkflowBuilder<TState> WaitFor<TPayload>(
        string step,
        Func<TState, TPayload, StepContext, Next> handle,
        string? signal = null,
        TimeSpan? timeout = null,
        Func<TState, StepContext, Next>? onTimeout = null
    )
    {
        if (timeout is null != onTimeout is null)
            throw new ArgumentException($"Step '{step}': timeout and onTimeout are given together or not at all.");
        if (timeout <= TimeSpan.Zero)
            throw new ArgumentException($"Step '{step}': timeout is {timeout}; it must be positive. Leave it out to wait for ever.");
        if (signal is not null)
            Names.Check(signal, "signal name");
        return Add(new WaitStep<TState, TPayload>(step, signal ?? step, _json, handle, timeout, onTimeout));
    }

    /// <summary>Waits for a durable timer.</summary>
    public WorkflowBuilder<TState> Delay(string step, TimeSpan delay) => Delay(step, (_, _) => Due.After(delay));

    /// <inheritdoc cref="Delay(string, TimeSpan)"/>
    public WorkflowBuilder<TState> Delay(string step, Func<TState, StepContext, Due> due) => Add(new DelayStep<TState>(step, due));

    /// <summary>
    /// A step with effects outside. It runs under a lease, outside of any transaction, at least once; pass
    /// <see cref="ActivityContext.ActivityId"/> on so that it counts once.
    /// </summary>
    public WorkflowBuilder<TState> Activity(
        string step,
        Func<TState, ActivityContext, Task> run,
        ActivityOptions? options = null,
        Func<TState, ActivityFailure, StepContext, Next>? onFailure = null
    ) =>
        Activity<bool>(
            step,
            async (state, context) =>
            {
                await run(state, context).ConfigureAwait(false);
                return true;
            },
            (_, _, _) => Next.Step,
            options,
            onFailure
        );

    /// <inheritdoc cref="Activity(string, Func{TState, ActivityContext, Task}, ActivityOptions?, Func{TState, ActivityFailure,
    /// StepContext, Next}?)"/>
    public WorkflowBuilder<TState> Activity<TResult>(
        string step,
        Func<TState, ActivityContext, Task<TResult>> run,
        Action<TState, TResult> onResult,
        ActivityOptions? options = null,
        Func<TState, ActivityFailure, StepContext, Next>? onFailure = null
    ) =>
        Activity(
            step,
            run,
            (state, result, _) =>
            {
                onResult(state, result);
                return Next.Step;
            },
            options,
            onFailure
        );

    /// <inheritdoc cref="Activity(string, Func{TState, ActivityContext, Task}, ActivityOptions?, Func{TState, ActivityFailure,
    /// StepContext, Next}?)"/>
    /// <param name="step">Name of the step.</param>
    /// <param name="run">The work; it gets a copy of the state, changes to which are lost.</param>
    /// <param name="onResult">Takes the result into the state: pure code.</param>
    /// <param name="options">Retries, time limit, place of the first attempt.</param>
    /// <param name="onFailure">Where to go when all attempts failed; the instance faults when not given.</param>
    public WorkflowBuilder<TState> Activity<TResult>(
        string step,
        Func<TState, ActivityContext, Task<TResult>> run,
        Func<TState, TResult, StepContext, Next> onResult,
        ActivityOptions? options = null,
        Func<TState, ActivityFailure, StepContext, Next>? onFailure = null
    )
    {
        options ??= ActivityOptions.Default;
        options.Validate($"Activity '{step}' of '{_name}'");
        return Add(new ActivityStep<TState, TResult>(step, _json, options, run, onResult, onFailure));
    }

    /// <summary>Starts a child and waits for its end; this instance faults when the child did not complete.</summary>
    public WorkflowBuilder<TState> Child<TChild>(
        string step,
        WorkflowDefinition<TChild> definition,
        Func<TState, TChild> input,
        Action<TState, TChild> onCompleted
    )
        where TChild : class =>
        Children(
            step,
            definition,
            state => [input(state)],
            (state, results, _) =>
            {
                if (results[0].Status != InstanceStatus.Completed)
                    return Next.Fault($"Child {results[0].InstanceId} of step '{step}' is {results[0].Status}: {results[0].Error}");
                onCompleted(state, results[0].State);
                return Next.Step;
            }
        );

    /// <summary>Starts children side by side and waits until all have closed, whatever way.</summary>
    /// <param name="step">Name of the step.</param>
    /// <param name="definition">The children's definition.</param>
    /// <param name="inputs">One state for each child; none is allowed.</param>
    /// <param name="onClosed">Takes all results, in the order of the inputs.</param>
    public WorkflowBuilder<TState> Children<TChild>(
        string step,
        WorkflowDefinition<TChild> definition,
        Func<TState, IEnumerable<TChild>> inputs,
        Func<TState, IReadOnlyList<ChildResult<TChild>>, StepContext, Next> onClosed
    )
        where TChild : class => Add(new ChildrenStep<TState, TChild>(step, definition, inputs, onClosed));

    /// <summary>Completes this instance and starts another in the same commit; the last step of a definition or a branch.</summary>
    public WorkflowBuilder<TState> ContinueWith<TNext>(string step, WorkflowDefinition<TNext> definition, Func<TState, TNext> input)
        where TNext : class => Add(new ContinueStep<TState, TNext>(step, definition, input));

    /// <inheritdoc cref="ContinueWith{TNext}(string, WorkflowDefinition{TNext}, Func{TState, TNext})"/>
    /// <param name="step">Name of the step.</param>
    /// <param name="definition">
    /// Name of a registered definition, of which the newest version is taken; it may be this one's own name. A registry
    /// refuses a name that it lacks.
    /// </param>
    /// <param name="input">The first state of the next instance.</param>
    public WorkflowBuilder<TState> ContinueWith<TNext>(string step, string definition, Func<TState, TNext> input)
        where TNext : class
    {
        Names.Check(definition, "definition name");
        return Add(new ContinueByNameStep<TState, TNext>(step, definition, input));
    }

    /// <exception cref="InvalidOperationException">There is no step.</exception>
    public WorkflowDefinition<TState> Build()
    {
        if (_steps.Count == 0)
            throw new InvalidOperationException($"Definition '{_name}' has no step.");
        return new WorkflowDefinition<TState>(_name, _version, _steps, _json);
    }

    private WorkflowBuilder<TState> Add(Step<TState> step)
    {
        Names.Check(step.Name, "step name");
        if (!_names.Add(step.Name))
            throw new ArgumentException($"Definition '{_name}' has two steps named '{step.Name}'.");
        _steps.Add(step);
        return this;
    }
}
