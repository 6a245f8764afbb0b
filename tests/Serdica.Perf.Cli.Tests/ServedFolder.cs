using System.Net;
using Serdica.Perf.Cli.Serving;

namespace Serdica.Perf.Cli.Tests;

/// <summary>A folder of runs that is served, with a client of its own, until it is disposed.</summary>
internal sealed class ServedFolder : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();

    public ServedFolder(string folder)
    {
        Server = Start(folder);
        Serving = Server.RunAsync(_stop.Token);
        Client.BaseAddress = new Uri(Server.Address);
    }

    public RunServer Server { get; }

    public HttpClient Client { get; } = new();

    /// <summary>Completes when the server has stopped.</summary>
    public Task Serving { get; }

    public int Port => Client.BaseAddress!.Port;

    public async Task StopAsync()
    {
        await _stop.CancelAsync();
        await Serving;
    }

    public async ValueTask DisposeAsync()
    {
        await StopAsync();
        Server.Dispose();
        Client.Dispose();
        _stop.Dispose();
    }

    /// <summary>On the first port that nobody has, below those that the system gives to connections of other tests meanwhile.</summary>
    private static RunServer Start(string folder)
    {
        for (var port = 20_000; ; port++)
        {
            var server = new RunServer(folder, port);
            try
            {
                server.Start();
                return server;
            }
            catch (HttpListenerException) when (port < 30_000)
            {
                server.Dispose();
            }
        }
    }
}
