namespace Serdica.Perf.Workflows;

/// <summary>The definitions that a process knows; versions of one name stand side by side.</summary>
public sealed class WorkflowRegistry
{
    private readonly Dictionary<(string Name, int Version), WorkflowDefinition> _definitions = [];
    private readonly Dictionary<string, WorkflowDefinition> _newest = new(StringComparer.Ordinal);

    /// <exception cref="ArgumentException">Two definitions have the same name and version.</exception>
    /// <exception cref="UnknownDefinitionException">
    /// One continues with a name that is not registered, or that has another state type.
    /// </exception>
    public WorkflowRegistry(IEnumerable<WorkflowDefinition> definitions)
    {
        ArgumentNullException.ThrowIfNull(definitions);
        foreach (var definition in definitions)
        {
            if (!_definitions.TryAdd((definition.Name, definition.Version), definition))
                throw new ArgumentException($"Definition {definition} is registered twice.");
            if (!_newest.TryGetValue(definition.Name, out var newest) || newest.Version < definition.Version)
                _newest[definition.Name] = definition;
        }

        foreach (var definition in _definitions.Values)
            definition.Check(this);
    }

    internal static WorkflowRegistry Empty { get; } = new([]);

    public IReadOnlyCollection<WorkflowDefinition> Definitions => _definitions.Values;

    internal bool TryFind(string name, int version, [NotNullWhen(true)] out WorkflowDefinition? definition) =>
        _definitions.TryGetValue((name, version), out definition);

    /// <summary>The newest version of a definition, which new instances start with.</summary>
    /// <exception cref="UnknownDefinitionException">The name is not registered, or has another state type.</exception>
    public WorkflowDefinition<TState> Newest<TState>(string name)
        where TState : class
    {
        if (!_newest.TryGetValue(name, out var definition))
            throw new UnknownDefinitionException($"No definition is named '{name}'. Registered: {Known()}.");
        return definition as WorkflowDefinition<TState>
            ?? throw new UnknownDefinitionException($"The state of {definition} is not a {typeof(TState).Name}.");
    }

    private string Known() => _newest.Count == 0 ? "none" : string.Join(", ", _newest.Keys.Order(StringComparer.Ordinal));
}
