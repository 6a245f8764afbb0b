using System.IO.Pipes;

namespace Serdica.Perf.Databases.Containers;

/// <summary>
/// Asks a container engine for its version, over its own HTTP interface: the answer to absent, forbidden, too old and
/// hanging alike, which libraries report as "not running".
/// </summary>
internal static class EngineProbe
{
    /// <summary>The interface of Docker 20.10, the oldest that was tried.</summary>
    public static readonly Version OldestApi = new(1, 41);

    private const int UsualPort = 2375;

    private static readonly TimeSpan Limit = FromSeconds(10);

    public static async Task<(FoundEngine? Engine, string? Problem)> FindAsync(
        ContainerOptions options,
        CancellationToken cancellationToken
    )
    {
        var (endpoint, problem) = EngineEndpoint.Of(options);

        if (endpoint is null)
            return (null, problem);

        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        deadline.CancelAfter(Limit);

        try
        {
            return Judge(endpoint, await AskAsync(endpoint.Address, deadline.Token));
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return (null, $"The container engine at {endpoint.Address} did not answer within {Limit.TotalSeconds:F0} s: restart it.");
        }
        catch (Exception e) when (Cause(e) is SocketException { SocketErrorCode: SocketError.AccessDenied } or UnauthorizedAccessException)
        {
            return (
                null,
                $"This user may not use the container engine at {endpoint.Address}: "
                    + "add the user to the group of its socket (usually 'docker'), or run as one who may."
            );
        }
        catch (Exception e) when (Cause(e) is not null)
        {
            return (null, $"No container engine answers at {endpoint.Address}: start Docker, or set DOCKER_HOST to where it is.");
        }
        catch (Exception e) when (e is HttpRequestException or IOException or JsonException)
        {
            return (
                null,
                $"The program at {endpoint.Address} is not a container engine that accepts requests without TLS: "
                    + "correct or unset DOCKER_HOST."
            );
        }
    }

    private static (FoundEngine? Engine, string? Problem) Judge(EngineEndpoint endpoint, JsonElement answer)
    {
        var version = Text(answer, "Version");

        if (version is null || !Version.TryParse(Text(answer, "ApiVersion"), out var api))
            throw new JsonException("An engine tells its version.");

        // Podman answers for Docker and names itself among its components.
        var name = answer.ToString().Contains("Podman", OrdinalIgnoreCase) ? $"Podman {version}" : $"Docker {version}";

        if (api < OldestApi)
        {
            return (
                null,
                $"{name} at {endpoint.Address} has API version {api}, and the suite needs {OldestApi} (Docker 20.10) or newer: update it."
            );
        }

        return Text(answer, "Os") is { } system and not "linux"
            ? (null, $"{name} at {endpoint.Address} runs containers of {system}: switch it to Linux containers.")
            : (new(endpoint, name, api), null);
    }

    private static string? Text(JsonElement answer, string name) =>
        answer.ValueKind == JsonValueKind.Object && answer.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String
            ? value.GetString()
            : null;

    private static async Task<JsonElement> AskAsync(Uri address, CancellationToken cancellationToken)
    {
        using var handler = new SocketsHttpHandler { ConnectCallback = (_, token) => ConnectAsync(address, token), UseProxy = false };
        using var client = new HttpClient(handler);
        return JsonElement.Parse(await client.GetByteArrayAsync(new Uri("http://engine/version"), cancellationToken));
    }

    private static async ValueTask<Stream> ConnectAsync(Uri address, CancellationToken cancellationToken)
    {
        if (address.Scheme == "npipe")
        {
            // npipe://./pipe/name
            var pipe = new NamedPipeClientStream(address.Host, address.Segments[^1], PipeDirection.InOut, PipeOptions.Asynchronous);
            await pipe.ConnectAsync(Limit, cancellationToken);
            return pipe;
        }

        var isUnix = address.Scheme == "unix";
        var socket = isUnix
            ? new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified)
            : new Socket(SocketType.Stream, ProtocolType.Tcp);

        try
        {
            if (isUnix)
                await socket.ConnectAsync(new UnixDomainSocketEndPoint(address.LocalPath), cancellationToken);
            else
                await socket.ConnectAsync(address.Host, address.IsDefaultPort ? UsualPort : address.Port, cancellationToken);

            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Why there was no connection; null when there was one.</summary>
    private static Exception? Cause(Exception exception) =>
        exception switch
        {
            SocketException or TimeoutException or UnauthorizedAccessException => exception,
            { InnerException: { } inner } => Cause(inner),
            _ => null,
        };
}

/// <summary>A container engine that answers and can be used.</summary>
/// <param name="Name">Name and version, for instance <c>Docker 28.1.1</c>.</param>
/// <param name="ApiVersion">The newest version of its interface that it speaks.</param>
internal sealed record FoundEngine(EngineEndpoint Endpoint, string Name, Version ApiVersion);
