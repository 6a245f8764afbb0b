namespace Serdica.Perf.Cli.Options;

/// <summary>The user typed something that is not understood; the message is one sentence that lists what is.</summary>
internal sealed class UsageException(string message) : Exception(message);
