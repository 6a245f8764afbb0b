namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>A signal with the key of its document; of a dead letter with the reason.</summary>
internal readonly record struct StoredSignal(DueKey Key, Signal Signal, DeadLetterReason Reason, string Detail);
