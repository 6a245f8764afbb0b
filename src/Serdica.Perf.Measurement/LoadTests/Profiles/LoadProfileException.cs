namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>A profile can't be read, or makes no sense; the message says where and what would.</summary>
public sealed class LoadProfileException(string message, Exception? inner = null) : Exception(message, inner);
