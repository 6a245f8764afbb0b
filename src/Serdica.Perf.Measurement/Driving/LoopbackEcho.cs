using System.Net;
using System.Net.Sockets;

namespace Serdica.Perf.Measurement.Driving;

/// <summary>Connections over the loopback to a partner in this process that sends everything back.</summary>
internal sealed class LoopbackEcho : IAsyncDisposable
{
    /// <summary>The payload of a round trip of the catalogue.</summary>
    internal const int MessageBytes = 256;

    private readonly ConcurrentBag<Connection> _free = [];
    private readonly List<Socket> _sockets = [];
    private readonly List<Task> _partners = [];

    private long _echoed;
    private long _roundTrips;

    private LoopbackEcho() { }

    /// <summary>Bytes that the partners have received over the loopback and sent back.</summary>
    public long EchoedBytes => Interlocked.Read(ref _echoed);

    /// <summary>Messages of which all has come back.</summary>
    public long RoundTrips => Interlocked.Read(ref _roundTrips);

    public static async Task<LoopbackEcho> OpenAsync(int connections, CancellationToken cancellationToken)
    {
        var echo = new LoopbackEcho();
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(connections);
        for (var connection = 0; connection < connections; connection++)
        {
            var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            echo._sockets.Add(client);
            await client.ConnectAsync(listener.LocalEndPoint!, cancellationToken);
            var partner = await listener.AcceptAsync(cancellationToken);
            partner.NoDelay = true;
            echo._sockets.Add(partner);
            echo._partners.Add(echo.ReplyAsync(partner));
            echo._free.Add(new(client));
        }

        return echo;
    }

    /// <summary>Sends a message over a free connection, of which there must be one, and waits until all of it has come back.</summary>
    public async Task RoundTripAsync(CancellationToken cancellationToken)
    {
        if (!_free.TryTake(out var connection))
            throw new InvalidOperationException("More round trips than connections are under way.");
        await connection.Socket.SendAsync(connection.Message, cancellationToken);
        var received = 0;
        while (received < MessageBytes)
            received += await connection.Socket.ReceiveAsync(connection.Message.AsMemory(received), cancellationToken);
        Interlocked.Increment(ref _roundTrips);
        _free.Add(connection);
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var socket in _sockets)
            socket.Dispose();
        await Task.WhenAll(_partners);
    }

    private async Task ReplyAsync(Socket socket)
    {
        var buffer = new byte[MessageBytes];
        try
        {
            while (await socket.ReceiveAsync(buffer) is > 0 and var received)
            {
                // Counted before it is sent: who has all of a message back finds it in the count.
                Interlocked.Add(ref _echoed, received);
                await socket.SendAsync(buffer.AsMemory(0, received));
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The connection was closed: this is its end.
        }
    }

    private sealed record Connection(Socket Socket)
    {
        public byte[] Message { get; } = new byte[MessageBytes];
    }
}
