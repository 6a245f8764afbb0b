namespace Serdica.Perf.Workflows;

/// <summary>Why a batch could not be decided or committed.</summary>
/// <param name="Reason">What its signals become dead letters for, when they are given up.</param>
/// <param name="Detail">A sentence for people.</param>
/// <param name="IsCertain">It is known that this instance is the cause; else it may be the database as a whole.</param>
internal sealed record Refusal(DeadLetterReason Reason, string Detail, bool IsCertain);

/// <summary>An instance that fails alone.</summary>
/// <param name="InstanceId">Which one.</param>
/// <param name="Tries">How often it was tried.</param>
internal readonly record struct Culprit(Guid InstanceId, int Tries);
