namespace Serdica.Perf.Workflows;

/// <summary>The activity that the instance stands at.</summary>
/// <param name="Id">Id of its signal; the same for all attempts.</param>
/// <param name="Attempt">The attempt that was leased last: the fencing token.</param>
internal sealed record PendingActivity(Guid Id, int Attempt);
