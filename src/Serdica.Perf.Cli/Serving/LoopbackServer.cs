namespace Serdica.Perf.Cli.Serving;

/// <summary>Answers programs of this machine over HTTP, one request at a time.</summary>
internal abstract class LoopbackServer : IDisposable
{
    private readonly HttpListener _listener = new();

    /// <param name="port">Of 127.0.0.1.</param>
    protected LoopbackServer(int port)
    {
        Address = Invariant($"http://127.0.0.1:{port}/");
        _listener.Prefixes.Add(Address);
    }

    public string Address { get; }

    /// <exception cref="HttpListenerException">The port is not available.</exception>
    public void Start() => _listener.Start();

    /// <summary>Returns when the token fires.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested)
        {
            try
            {
                // A listener that is closed at the moment when a wait begins may forget the wait.
                Answer(await _listener.GetContextAsync().WaitAsync(cancellationToken));
            }
            catch (Exception error) when (error is HttpListenerException or ObjectDisposedException or OperationCanceledException)
            {
                // Stopped, or the caller has gone before its answer was complete.
            }
        }

        // Not Stop: closing after it takes the port once more, only to let it go, and fails when somebody has it by then.
        _listener.Close();
    }

    public void Dispose() => _listener.Close();

    protected abstract void Answer(HttpListenerContext context);
}
