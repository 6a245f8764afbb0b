namespace Serdica.Perf.Workflows;

/// <summary>A signal that was accepted and could not be handled, kept with the reason.</summary>
/// <param name="Signal">The signal as it was claimed last.</param>
/// <param name="Reason">Kind of the failure.</param>
/// <param name="Detail">A sentence for people: which handler, which error.</param>
/// <param name="DeadAt">Database time of the write; set by the backend.</param>
public sealed record DeadLetter(Signal Signal, DeadLetterReason Reason, string Detail, DateTimeOffset DeadAt = default);
