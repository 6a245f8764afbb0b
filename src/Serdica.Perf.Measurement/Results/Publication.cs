namespace Serdica.Perf.Measurement.Results;

/// <summary>What makes a run, or the part of it that is about one backend, a published baseline.</summary>
public sealed record Publication
{
    /// <summary>The name of the pair of files without extension: <c>11-postgresql-performance-baseline-2026-11-21</c>.</summary>
    public required string Name { get; init; }

    public required int Number { get; init; }

    public required string Backend { get; init; }

    /// <summary>One sentence for each thing that the run has and the baseline has not.</summary>
    public IReadOnlyList<string> LeftOut { get; init; } = [];
}
