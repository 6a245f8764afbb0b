namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>A part of an operation has failed: its name, so that errors are counted by what was tried, and the cause.</summary>
internal sealed class LoadOperationException(string operation, Exception cause) : Exception(cause.Message, cause)
{
    public string Operation => operation;
}
