namespace Serdica.Perf.Cli.Commands.Worker;

/// <summary>
/// Answers programs of this machine: <c>/health</c> with 200 while the worker runs and its database answers, else with 503;
/// <c>/counters</c> always.
/// </summary>
/// <param name="port">Of 127.0.0.1.</param>
internal sealed class WorkerHealth(int port, Func<WorkerStatus> read) : LoopbackServer(port)
{
    protected override void Answer(HttpListenerContext context)
    {
        using var response = context.Response;
        var status = read();
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
