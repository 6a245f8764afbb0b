namespace Serdica.Perf.Compliance;

/// <summary>State of the list-append workflow: what it was given, in order, and when by the database's clock.</summary>
public sealed class Ledger
{
    public List<int> Entries { get; set; } = [];

    public List<DateTimeOffset> Times { get; set; } = [];

    public string? Note { get; set; }
}
