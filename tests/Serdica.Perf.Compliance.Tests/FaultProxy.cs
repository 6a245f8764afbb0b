using System.Net;

namespace Serdica.Perf.Compliance;

/// <summary>
/// Stands between a client and a server on loopback and hands on what they send, until a test has connections fall silent
/// (both ends stay connected, and nothing arrives any more) or end with a reset.
/// </summary>
internal sealed class FaultProxy : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly ConcurrentDictionary<ProxiedConnection, Task> _connections = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly string _host;
    private readonly int _port;
    private readonly Task _accepting;
    private volatile bool _silencesNew;

    public FaultProxy(string host, int port)
    {
        (_host, _port) = (host, port);
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>Those that neither end has closed.</summary>
    public IReadOnlyCollection<ProxiedConnection> Connections => [.. _connections.Keys];

    /// <summary>All connections of now go silent, or those that match.</summary>
    /// <returns>How many.</returns>
    public int Silence(Func<ProxiedConnection, bool>? which = null)
    {
        var silenced = Connections.Where(connection => !connection.IsSilent && which?.Invoke(connection) != false).ToList();
        silenced.ForEach(connection => connection.IsSilent = true);
        return silenced.Count;
    }

    /// <summary>Connections of now go silent, and new ones are accepted and get no answer, until <see cref="Heal"/>.</summary>
    public void SilenceAll()
    {
        _silencesNew = true;
        Silence();
    }

    /// <summary>New connections reach the server again. Those that were silenced stay so: what was lost is lost.</summary>
    public void Heal() => _silencesNew = false;

    /// <summary>Ends all connections of now with a reset.</summary>
    public void Reset()
    {
        foreach (var connection in Connections)
            connection.Reset();
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _listener.Stop();
        await _accepting;
        Reset();
        await Task.WhenAll(_connections.Values);
        _stop.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                var client = await _listener.AcceptSocketAsync(_stop.Token);
                var connection = new ProxiedConnection(client) { IsSilent = _silencesNew };
                var running = new TaskCompletionSource();
                _connections[connection] = running.Task;
                _ = ServeAsync(connection, running);
            }
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // The test has ended.
        }
    }

    private async Task ServeAsync(ProxiedConnection connection, TaskCompletionSource running)
    {
        await connection.RunAsync(_host, _port);
        _connections.TryRemove(connection, out _);
        running.SetResult();
    }
}

/// <summary>One connection through a <see cref="FaultProxy"/>.</summary>
internal sealed class ProxiedConnection(Socket client)
{
    private const int MaxSaid = 1 << 16;

    private readonly Socket _server = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly StringBuilder _said = new();
    private volatile bool _isSilent;

    /// <summary>What either end sends is read and dropped.</summary>
    public bool IsSilent
    {
        get => _isSilent;
        set => _isSilent = value;
    }

    /// <summary>Whether the client has sent this text, among the first 64 KiB and without encryption.</summary>
    public bool HasSaid(string text)
    {
        lock (_said)
            return _said.ToString().Contains(text);
    }

    /// <summary>Ends both sides at once, with a reset rather than an orderly end.</summary>
    public void Reset()
    {
        client.Close(0);
        _server.Close(0);
    }

    public async Task RunAsync(string host, int port)
    {
        try
        {
            client.NoDelay = true;
            await _server.ConnectAsync(host, port);
            Task[] ways = [CopyAsync(client, _server, Remember), CopyAsync(_server, client, static _ => { })];
            await await Task.WhenAny(ways);

            // That one end has gone is not heard by the other either.
            if (IsSilent)
                await Task.WhenAll(ways);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // One end has gone, or the test has ended it.
        }
        finally
        {
            Reset();
        }
    }

    private async Task CopyAsync(Socket from, Socket to, Action<ReadOnlyMemory<byte>> see)
    {
        var buffer = new byte[1 << 14];
        while (await from.ReceiveAsync(buffer) is > 0 and var count)
        {
            see(buffer.AsMemory(0, count));
            for (var sent = 0; sent < count && !IsSilent;)
                sent += await to.SendAsync(buffer.AsMemory(sent, count - sent));
        }
    }

    private void Remember(ReadOnlyMemory<byte> bytes)
    {
        lock (_said)
        {
            if (_said.Length < MaxSaid)
                _said.Append(Encoding.Latin1.GetString(bytes.Span));
        }
    }
}
