namespace Serdica.Perf.Databases.Containers;

/// <summary>The engine did not do what it was asked for.</summary>
/// <param name="message">The cause, to stand in parentheses.</param>
/// <param name="log">What the container wrote before it was removed.</param>
internal sealed class ContainerEngineException(string message, string log = "") : Exception(message)
{
    public string Log => log;

    /// <summary>Whether the image is neither here nor to be fetched: no fault of the server's.</summary>
    public bool ImageIsMissing { get; init; }
}
