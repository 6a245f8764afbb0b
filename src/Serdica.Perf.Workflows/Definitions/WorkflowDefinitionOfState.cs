using Microsoft.Extensions.ObjectPool;

namespace Serdica.Perf.Workflows;

/// <inheritdoc/>
/// <typeparam name="TState">The state that the steps work on.</typeparam>
public sealed class WorkflowDefinition<TState> : WorkflowDefinition
    where TState : class
{
    /// <summary>As many as some workers' batches have.</summary>
    private const int MaxSpareTurns = 256;

    private readonly Step<TState>[] _steps;
    private readonly Dictionary<string, int> _indexes;
    private readonly JsonTypeInfo<TState> _stateType;
    private readonly DefaultObjectPool<Turn<TState>> _turns;

    internal WorkflowDefinition(string name, int version, IEnumerable<Step<TState>> steps, JsonSerializerOptions json)
        : base(name, version, json)
    {
        _steps = [.. steps];
        _indexes = new Dictionary<string, int>(_steps.Length, StringComparer.Ordinal);
        for (var i = 0; i < _steps.Length; i++)
            _indexes.Add(_steps[i].Name, i);
        _stateType = (JsonTypeInfo<TState>)json.GetTypeInfo(typeof(TState));
        _turns = new(new TurnPolicy(this), MaxSpareTurns);
        Steps = [.. _steps.Select(s => s.Name)];
        HasActivities = _steps.Any(static step => step is IActivityStep);
        SignalNames = _steps.Select(s => s.SignalName).OfType<string>().ToHashSet(StringComparer.Ordinal);
    }

    /// <inheritdoc/>
    public override IReadOnlyList<string> Steps { get; }

    /// <inheritdoc/>
    public override IReadOnlySet<string> SignalNames { get; }

    internal override bool HasActivities { get; }

    internal int Count => _steps.Length;

    internal Step<TState> this[int index] => _steps[index];

    internal int IndexOf(string step) => _indexes.TryGetValue(step, out var index) ? index : -1;

    internal TState ReadState(ReadOnlySpan<byte> bytes)
    {
        try
        {
            return JsonSerializer.Deserialize(bytes, _stateType)
                ?? throw new WorkflowStateException($"The stored state of {this} is null; a state must be an object.");
        }
        catch (Exception e) when (e is JsonException or NotSupportedException)
        {
            throw new WorkflowStateException($"The stored state of {this} cannot be read as {typeof(TState).Name}: {e.Message}", e);
        }
    }

    internal byte[] WriteState(TState state)
    {
        try
        {
            return JsonSerializer.SerializeToUtf8Bytes(state, _stateType);
        }
        catch (Exception e) when (e is JsonException or NotSupportedException or InvalidOperationException)
        {
            throw new WorkflowStateException($"The state of {this} ({typeof(TState).Name}) cannot be written as JSON: {e.Message}", e);
        }
    }

    internal override Turn ContinueTurn(TurnEnvironment environment, ClaimedInstance claimed, DateTimeOffset now)
    {
        var turn = _turns.Get();
        turn.Begin(environment, claimed.Instance, now);
        turn.Handle(claimed.Signals);
        return turn;
    }

    internal override Turn GiveUpTurn(TurnEnvironment environment, ClaimedInstance claimed, DateTimeOffset now, Refusal refusal)
    {
        var turn = _turns.Get();
        turn.Begin(environment, claimed.Instance, now);
        turn.GiveUp(claimed.Signals, refusal);
        return turn;
    }

    internal Turn<TState> BeginTurn(TurnEnvironment environment, NewInstance origin, TState state, bool inline)
    {
        var turn = _turns.Get();
        turn.Begin(environment, origin, state, inline);
        return turn;
    }

    internal void Recycle(Turn<TState> turn) => _turns.Return(turn);

    internal override void Check(WorkflowRegistry registry)
    {
        foreach (var step in _steps)
            step.Check(registry, this);
    }

    internal override IActivityStep? FindActivity(string step) =>
        IndexOf(step) is var index and >= 0 ? _steps[index] as IActivityStep : null;

    private sealed class TurnPolicy(WorkflowDefinition<TState> definition) : PooledObjectPolicy<Turn<TState>>
    {
        public override Turn<TState> Create() => new(definition);

        public override bool Return(Turn<TState> turn)
        {
            turn.Reset();
            return true;
        }
    }
}
