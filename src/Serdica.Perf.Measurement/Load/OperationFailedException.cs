namespace Serdica.Perf.Measurement.Load;

/// <summary>An operation ended otherwise than it should; the message says how.</summary>
public sealed class OperationFailedException(string message) : Exception(message);
