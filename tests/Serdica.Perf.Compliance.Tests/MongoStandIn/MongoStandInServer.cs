using System.Net;

namespace Serdica.Perf.Compliance;

/// <summary>
/// Stands in for a MongoDB server where there is none: speaks the wire protocol on a loopback port as far as the
/// adapter over <c>MongoDB.Driver</c> uses it, refuses what MongoDB refuses of sessions and transactions, and has the
/// commands run by DocumentDB. It shows that adapter and driver work together; it is not MongoDB.
/// </summary>
internal sealed class MongoStandInServer : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _stop = new();
    private readonly StandInCommands _commands;
    private readonly Task _accepting;

    public MongoStandInServer(string documentDb, int wireVersion)
    {
        _commands = new(documentDb, wireVersion);
        _listener.Start();
        var limit = HangGuard.Limit.TotalMilliseconds;
        ConnectionString =
            $"mongodb://{_listener.LocalEndpoint}/?retryWrites=false&serverSelectionTimeoutMS={limit}&connectTimeoutMS={limit}";
        _accepting = AcceptAsync();
    }

    /// <summary>What it is asked, and what goes wrong with it.</summary>
    public StandInCommands Commands => _commands;

    /// <summary>
    /// As a user of MongoDB would write it. The driver closes all its connections to a server whose heartbeat is late, and a busy machine
    /// makes it late: it waits as long as a test does.
    /// </summary>
    public string ConnectionString { get; }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _listener.Dispose();
        await _accepting;
        await _commands.DisposeAsync();
        _stop.Dispose();
    }

    private async Task AcceptAsync()
    {
        var serving = new List<Task>();
        try
        {
            while (true)
                serving.Add(ServeAsync(await _listener.AcceptTcpClientAsync(_stop.Token)));
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            await Task.WhenAll(serving);
        }
    }

    private async Task ServeAsync(TcpClient client)
    {
        using (client)
        {
            client.NoDelay = true;
            var stream = client.GetStream();
            try
            {
                var message = await WireMessage.ReadAsync(stream, _stop.Token);
                while (message is not null)
                {
                    // Read while the command runs: a client that gives up hangs up, and the command is killed.
                    using var hungUp = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
                    var next = ReadNextAsync(stream, hungUp);
                    var reply = await _commands.RunAsync(message.Command, hungUp.Token);
                    if (!message.WantsNoReply)
                        await message.AnswerAsync(stream, reply, _stop.Token);
                    message = await next;
                }
            }
            catch (Exception e) when (e is OperationCanceledException or IOException)
            {
                // The client has gone, or the server is to.
            }
        }
    }

    private async Task<WireMessage?> ReadNextAsync(NetworkStream stream, CancellationTokenSource hungUp)
    {
        try
        {
            if (await WireMessage.ReadAsync(stream, _stop.Token) is { } message)
                return message;
        }
        catch (Exception e) when (e is OperationCanceledException or IOException or ObjectDisposedException)
        {
            // As good as the end of the stream.
        }

        await hungUp.CancelAsync();
        return null;
    }
}
