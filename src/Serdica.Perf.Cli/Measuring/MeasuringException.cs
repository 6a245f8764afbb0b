namespace Serdica.Perf.Cli.Measuring;

/// <summary>A measurement by other processes cannot continue.</summary>
/// <param name="exitCode">How the process ends.</param>
/// <param name="message">One sentence for people.</param>
internal sealed class MeasuringException(int exitCode, string message) : Exception(message)
{
    public int ExitCode => exitCode;
}
