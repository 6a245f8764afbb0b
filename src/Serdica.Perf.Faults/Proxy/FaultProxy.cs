using System.Net;
using System.Net.Sockets;
using Npgsql;

namespace Serdica.Perf.Faults.Proxy;

/// <summary>
/// Stands between a process and its database on the loopback address, and does to the bytes what its rules say. Its port stays the
/// same while the server restarts, also when the server gets another one.
/// </summary>
internal sealed class FaultProxy : IAsyncDisposable
{
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly CancellationTokenSource _end = new();
    private readonly ConcurrentDictionary<ProxiedConnection, Task> _connections = [];
    private readonly Func<IPEndPoint> _server;
    private readonly Random _random;
    private readonly Task _accepting;
    private TaskCompletionSource _changed = new(RunContinuationsAsynchronously);
    private ProxyRules _rules = new();

    /// <summary>A proxy before a server that may move.</summary>
    /// <param name="connectionString">For Npgsql; asked for each new connection. Its host is an address.</param>
    /// <param name="seed">Decides whom rules with a share strike, as far as the order of connections and commits allows.</param>
    /// <exception cref="FaultImpossibleException">The server is not on the loopback address.</exception>
    public FaultProxy(Func<string> connectionString, int seed)
    {
        _server = () => Place(connectionString());

        // One that is elsewhere is refused at once.
        _server();
        _random = new Random(seed);
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen(512);
        _accepting = AcceptAsync();
    }

    /// <summary>The connection string of the same database through this proxy, without encryption: the proxy reads what it sees.</summary>
    public string Through(string connectionString) =>
        new NpgsqlConnectionStringBuilder(connectionString)
        {
            Host = IPAddress.Loopback.ToString(),
            Port = Port,
            SslMode = SslMode.Disable,
            GssEncryptionMode = GssEncryptionMode.Disable,
        }.ConnectionString;

    public int Port => ((IPEndPoint)_listener.LocalEndPoint!).Port;

    public ProxyCounts Counts { get; } = new();

    public ProxyRules Rules
    {
        get => Volatile.Read(ref _rules);
        set
        {
            Volatile.Write(ref _rules, value);
            Interlocked.Exchange(ref _changed, new(RunContinuationsAsynchronously)).SetResult();
        }
    }

    /// <summary>Cuts all connections with a reset.</summary>
    /// <returns>How many.</returns>
    public int ResetAll() => _connections.Keys.Count(connection => connection.Reset());

    public async ValueTask DisposeAsync()
    {
        if (_end.IsCancellationRequested)
            return;
        await _end.CancelAsync();
        _listener.Dispose();
        await _accepting;
        foreach (var connection in _connections.Keys)
            connection.Reset();
        await Task.WhenAll(_connections.Values);
        _end.Dispose();
    }

    /// <summary>Returns when the rules let bytes of this direction through.</summary>
    internal async Task WhileHeldAsync(ProxiedConnection connection, bool isRequest, int bytes, CancellationToken cancellationToken)
    {
        while (true)
        {
            // Before the rules are read: a change in between completes it.
            var changed = Volatile.Read(ref _changed).Task;
            var rules = Rules;
            if (!connection.IsStruckBy(rules) || !(isRequest ? rules.HoldsRequests : rules.HoldsAnswers))
                return;
            Counts.AddHeld(bytes);
            bytes = 0;
            await changed.WaitAsync(cancellationToken);
        }
    }

    internal double Draw()
    {
        lock (_random)
            return _random.NextDouble();
    }

    private async Task AcceptAsync()
    {
        while (true)
        {
            try
            {
                var client = await _listener.AcceptAsync(_end.Token);
                var connection = new ProxiedConnection(this, client, Draw());

                // Added before it runs, so that it cannot end before it is there.
                var go = new TaskCompletionSource(RunContinuationsAsynchronously);
                _connections[connection] = RunAsync(connection, go.Task);
                go.SetResult();
            }
            catch (Exception e) when (e is OperationCanceledException or ObjectDisposedException or SocketException)
            {
                if (_end.IsCancellationRequested)
                    return;
            }
        }
    }

    private async Task RunAsync(ProxiedConnection connection, Task go)
    {
        await go;
        await connection.RunAsync(_server(), _end.Token);
        _connections.TryRemove(connection, out _);
    }

    private static IPEndPoint Place(string connectionString)
    {
        var server = new NpgsqlConnectionStringBuilder(connectionString);
        return IPAddress.TryParse(server.Host, out var address) && IPAddress.IsLoopback(address)
            ? new(address, server.Port)
            : throw new FaultImpossibleException(
                $"The server '{server.Host}' is not on the loopback address; faults are done to no other."
            );
    }
}
