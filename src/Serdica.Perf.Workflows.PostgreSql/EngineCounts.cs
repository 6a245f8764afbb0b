namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>What a backend counts of its own work, because no server does.</summary>
/// <param name="VacuumsWithoutEffect">Those that freed less than half of their rows.</param>
/// <param name="UnreadBatches">Batches of signals that were decided without reading their instances.</param>
/// <param name="RefusedBatches">Those of them that the database refused, so that they were decided again.</param>
internal readonly record struct EngineCounts(long VacuumsWithoutEffect, long UnreadBatches, long RefusedBatches)
{
    public static EngineCounts operator +(EngineCounts one, EngineCounts other) =>
        new(
            one.VacuumsWithoutEffect + other.VacuumsWithoutEffect,
            one.UnreadBatches + other.UnreadBatches,
            one.RefusedBatches + other.RefusedBatches
        );
}
