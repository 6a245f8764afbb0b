namespace Serdica.Perf.Workflows;

/// <summary>What one receive has claimed.</summary>
/// <param name="Now">The database's clock at the claim.</param>
/// <param name="Messages">In order of due time.</param>
public sealed record ReceivedMessages(DateTimeOffset Now, IReadOnlyList<Message> Messages);
