namespace Serdica.Perf.Workflows;

/// <summary>A payload is over <see cref="WorkflowOptions.MaxPayloadBytes"/>; nothing was stored.</summary>
public sealed class PayloadTooLargeException(string what, int bytes, int limit)
    : Exception($"The payload of {what} has {bytes} bytes; the limit is {limit} (WorkflowOptions.MaxPayloadBytes).");
