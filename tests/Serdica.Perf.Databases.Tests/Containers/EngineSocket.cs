using System.Net.Sockets;

namespace Serdica.Perf.Databases.Tests.Containers;

/// <summary>A socket on which one request is answered as given, or never.</summary>
internal sealed class EngineSocket : IAsyncDisposable
{
    private readonly Socket _listener = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _serving;

    public EngineSocket(string path, string? answer)
    {
        _listener.Bind(new UnixDomainSocketEndPoint(path));
        _listener.Listen();
        _serving = ServeAsync(answer);
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _serving.ContinueWith(_ => { }, TaskScheduler.Default);
        _listener.Dispose();
        _stop.Dispose();
    }

    private async Task ServeAsync(string? answer)
    {
        using var connection = await _listener.AcceptAsync(_stop.Token);
        await connection.ReceiveAsync(new byte[4096], _stop.Token);

        if (answer is null)
            await Task.Delay(Timeout.Infinite, _stop.Token);

        await connection.SendAsync(Encoding.UTF8.GetBytes(answer!), _stop.Token);
    }
}
