namespace Serdica.Perf.Measurement.Baselines;

/// <summary>A baseline can't be read. The message says which file, what is wrong with it and what would be right.</summary>
public sealed class BaselineException(string message, Exception? inner = null) : Exception(message, inner);
