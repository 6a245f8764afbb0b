namespace Serdica.Perf.Measurement.Comparisons.Gates;

/// <summary>The gate's file can't be used. The message says which file, what is wrong with it and what would be right.</summary>
public sealed class GateException(string message, Exception? inner = null) : Exception(message, inner);
