namespace Serdica.Perf.Workflows;

/// <summary>What an instance names its definition by.</summary>
/// <param name="Name">The definition's name.</param>
/// <param name="Version">The definition's version.</param>
public readonly record struct DefinitionVersion(string Name, int Version)
{
    /// <inheritdoc/>
    public override string ToString() => $"{Name} v{Version}";
}
