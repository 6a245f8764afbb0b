namespace Serdica.Perf.Databases.Containers;

/// <summary>Where a container engine is asked.</summary>
/// <param name="Address">With the scheme <c>unix</c>, <c>npipe</c>, <c>tcp</c> or <c>http</c>.</param>
/// <param name="Host">Where the published ports of its containers are reached.</param>
/// <param name="PublishOn">Address of the engine's machine that ports are published on.</param>
internal sealed record EngineEndpoint(Uri Address, string Host, string PublishOn)
{
    private const string WindowsPipe = "npipe://./pipe/docker_engine";

    private static readonly string[] Schemes = ["unix", "npipe", "tcp", "http"];

    // In this order: the system's engine, and that of Docker Desktop where it may not make the system's socket.
    private static readonly string[] Sockets =
    [
        "/var/run/docker.sock",
        Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".docker/run/docker.sock"),
    ];

    /// <summary>The engine that was named, else the one in the usual place; a sentence when the name is not an address.</summary>
    public static (EngineEndpoint? Endpoint, string? Problem) Of(ContainerOptions options)
    {
        var name = options.Engine ?? UsualPlace();

        if (!Uri.TryCreate(name, UriKind.Absolute, out var address) || !Schemes.Contains(address.Scheme))
        {
            return (
                null,
                $"DOCKER_HOST is '{name}', which is not the address of a container engine: set it to something like "
                    + "unix:///var/run/docker.sock or tcp://127.0.0.1:2375, or unset it."
            );
        }

        var isHere = address.Scheme is "unix" or "npipe";
        var loopback = IPAddress.Loopback.ToString();

        // Ports that only this machine uses are published on its loopback address only.
        return (
            new EngineEndpoint(
                address,
                options.Host ?? (isHere ? loopback : address.Host),
                isHere && options.Host is null ? loopback : IPAddress.Any.ToString()
            ),
            null
        );
    }

    private static string UsualPlace() =>
        OperatingSystem.IsWindows() ? WindowsPipe : $"unix://{Array.Find(Sockets, File.Exists) ?? Sockets[0]}";
}
