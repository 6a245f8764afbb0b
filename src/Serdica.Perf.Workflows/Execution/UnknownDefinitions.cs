namespace Serdica.Perf.Workflows;

/// <summary>Definitions that a host has met in the database and does not have; shared by its workers.</summary>
internal sealed class UnknownDefinitions
{
    private readonly Lock _gate = new();
    private volatile IReadOnlyList<DefinitionVersion> _all = [];

    public IReadOnlyList<DefinitionVersion> All => _all;

    /// <returns>False when it was known to be unknown.</returns>
    public bool Add(DefinitionVersion definition)
    {
        lock (_gate)
        {
            if (_all.Contains(definition))
                return false;
            _all = [.. _all, definition];
            return true;
        }
    }
}
