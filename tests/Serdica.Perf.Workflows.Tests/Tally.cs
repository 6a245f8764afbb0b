namespace Serdica.Perf.Workflows.Tests;

public sealed class Tally
{
    public List<int> Numbers { get; set; } = [];
}
