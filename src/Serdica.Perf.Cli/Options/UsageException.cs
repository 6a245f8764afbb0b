namespace Serdica.Perf.Cli.Options;

/// <summary>The user typed an unknown name or an invalid value; the message is one sentence that lists the valid ones.</summary>
internal sealed class UsageException(string message) : Exception(message);
