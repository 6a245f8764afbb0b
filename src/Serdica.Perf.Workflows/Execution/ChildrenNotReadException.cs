namespace Serdica.Perf.Workflows;

/// <summary>A turn needs the results of children that this host has yet to read; it is repeated when they are there.</summary>
internal sealed class ChildrenNotReadException(ChildFamily family)
    : Exception($"The results of the {family.Count} children from {family.First} on have not been read yet.")
{
    public ChildFamily Family => family;
}
