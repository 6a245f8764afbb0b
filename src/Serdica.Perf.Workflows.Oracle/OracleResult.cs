namespace Serdica.Perf.Workflows.Oracle;

/// <summary>What the package tells of one item of a batch; of most there is nothing to tell.</summary>
/// <param name="Outcome">0 when it was done as asked; otherwise by the kind of item.</param>
/// <param name="Id">For a refused start, the owner of the business key. For a large signal, its instance.</param>
/// <param name="Definition">For a refused start, the owner's definition.</param>
internal readonly record struct OracleResult(int Outcome, Guid Id = default, string? Definition = null);
