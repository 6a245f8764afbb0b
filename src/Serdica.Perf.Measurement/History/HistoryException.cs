namespace Serdica.Perf.Measurement.Histories;

/// <summary>A history can't be read or added to. The message says which file or run, and what is wrong.</summary>
public sealed class HistoryException(string message, Exception? inner = null) : Exception(message, inner);
