namespace Serdica.Perf.Databases;

/// <summary>
/// A server that should have started did not. Unlike <see cref="ProvisionOutcome.Unavailable"/> this is a fault and
/// no reason to skip; the message holds the last lines of the server's log.
/// </summary>
public sealed class DatabaseStartException(string message) : Exception(message);
