namespace Serdica.Perf.Cli.Ab;

/// <summary>The comparison can't go on.</summary>
/// <param name="exitCode">How the process ends.</param>
/// <param name="message">One sentence for people.</param>
internal sealed class AbException(int exitCode, string message) : Exception(message)
{
    public int ExitCode => exitCode;
}
