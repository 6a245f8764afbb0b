namespace Serdica.Perf.Workflows;

/// <summary>Messages of the bare queue whose handling is committed.</summary>
/// <param name="Received">As they were claimed, with the database's clock at the claim.</param>
/// <param name="Commit">From the claim's answer until the commit was durable.</param>
public readonly record struct HandledMessages(ReceivedMessages Received, TimeSpan Commit);
