using System.Globalization;
using System.Net;
using System.Text.Json;
using Serdica.Perf.Results;

namespace Serdica.Perf.Cli.Commands.Worker;

/// <summary>
/// Answers programs of this machine: <c>/health</c> with 200 while the worker runs and its database answers, else with 503;
/// <c>/counters</c> always.
/// </summary>
internal sealed class WorkerHealth : IDisposable
{
    private readonly HttpListener _listener = new();
    private readonly Func<WorkerStatus> _read;

    /// <param name="port">Of 127.0.0.1.</param>
    /// <param name="read">Reads the status of now.</param>
    public WorkerHealth(int port, Func<WorkerStatus> read)
    {
        _read = read;
        _listener.Prefixes.Add(string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{port}/"));
    }

    /// <exception cref="HttpListenerException">The port is not available.</exception>
    public void Start() => _listener.Start();

    /// <summary>Returns when the token fires.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        using var stop = cancellationToken.Register(_listener.Close);
        while (!cancellationToken.IsCancellationRequested)
        {
            try
            {
                // A listener that is closed at the moment when a wait begins may forget the wait.
                Answer(await _listener.GetContextAsync().WaitAsync(cancellationToken).ConfigureAwait(false));
            }
            catch (Exception error) when (error is HttpListenerException or ObjectDisposedException or OperationCanceledException)
            {
                // Stopped, or the caller has gone before its answer was complete.
            }
        }
    }

    public void Dispose() => _listener.Close();

    private void Answer(HttpListenerContext context)
    {
        using var response = context.Response;
        var status = _read();
        response.StatusCode = (int)(
            context.Request switch
            {
                { HttpMethod: not ("GET" or "HEAD") } => HttpStatusCode.MethodNotAllowed,
                { Url.AbsolutePath: "/counters" } => HttpStatusCode.OK,
                { Url.AbsolutePath: "/health" } => status.IsHealthy ? HttpStatusCode.OK : HttpStatusCode.ServiceUnavailable,
                _ => HttpStatusCode.NotFound,
            }
        );
        response.ContentType = "application/json; charset=utf-8";
        response.Headers["Cache-Control"] = "no-store";
        var body = JsonSerializer.SerializeToUtf8Bytes(status, MeasurementJson.Compact);
        response.ContentLength64 = body.Length;
        if (context.Request.HttpMethod != "HEAD")
            response.OutputStream.Write(body);
    }
}
