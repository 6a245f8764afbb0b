using Serdica.Perf.Cli.Commands.Faults;

namespace Serdica.Perf.Cli.Serving;

/// <summary>
/// Answers the browser of this machine with the runs of one folder. A request names a run and one of a few files; both are looked
/// up among those that are there, and no path is made of what was asked for.
/// </summary>
/// <param name="port">Of 127.0.0.1.</param>
internal sealed class RunServer(string folder, int port) : LoopbackServer(port)
{
    /// <summary>What a run folder has for a reader.</summary>
    private static readonly Dictionary<string, string> Files = new()
    {
        [RunFolder.ReportFile] = "text/markdown",
        [RunFolder.DetailsFile] = "text/markdown",
        [RunFolder.SummaryFile] = "application/json",
        [RunFolder.CsvFile] = "text/csv",
        [RunFolder.ManifestFile] = "application/json",
        [RunFolder.SamplesFile] = "application/x-ndjson",
    };

    private readonly string _folder = folder;

    protected override void Answer(HttpListenerContext context)
    {
        using var response = context.Response;
        var (status, type, body) = Respond(context.Request);
        var bytes = Encoding.UTF8.GetBytes(body);
        response.StatusCode = (int)status;
        response.ContentType = $"{type}; charset=utf-8";
        response.ContentLength64 = bytes.Length;
        response.Headers["X-Content-Type-Options"] = "nosniff";
        response.Headers["Cache-Control"] = "no-store";
        response.Headers["Content-Security-Policy"] =
            "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; "
            + "frame-ancestors 'none'";
        if (context.Request.HttpMethod != "HEAD")
            response.OutputStream.Write(bytes);
    }

    private (HttpStatusCode Status, string Type, string Body) Respond(HttpListenerRequest request)
    {
        if (request.HttpMethod is not ("GET" or "HEAD"))
            return (HttpStatusCode.MethodNotAllowed, "text/plain", "Runs can be read, not changed.");

        try
        {
            var segments = (request.Url?.AbsolutePath ?? "/")
                .Split('/', RemoveEmptyEntries)
                .Select(Uri.UnescapeDataString)
                .ToArray();
            return segments switch
            {
                [] => (
                    HttpStatusCode.OK,
                    "text/html",
                    Html(writer => RunIndexPage.Write(writer, _folder, ListedRun.In(_folder), TimeProvider.System.GetUtcNow()))
                ),
                ["report"] => Report(request.QueryString.GetValues("run") ?? [], request.QueryString["base"]),
                ["compare"] => Compare(request.QueryString.GetValues("run") ?? []),
                ["runs", var run] => Page(run),
                ["runs", var run, var file] when Find(run) is { } folder && Files.TryGetValue(file, out var type) => File(
                    JsonFile.At(folder, file),
                    type
                ),
                _ => NotFound("There is no such page."),
            };
        }
        catch (BaselineException error)
        {
            return NotFound(error.Message);
        }
        catch (Exception error)
        {
            // One bad file costs its own page and not the server.
            return (
                HttpStatusCode.InternalServerError,
                "text/plain",
                $"This page cannot be built from the files of the run: {error.Message}"
            );
        }
    }

    private (HttpStatusCode Status, string Type, string Body) Report(string[] names, string? baseName)
    {
        var folders = names.Select(Find).ToArray();
        var baseFolder = string.IsNullOrEmpty(baseName) ? null : Find(baseName);
        if (folders.Length == 0 || folders.Contains(null) || (baseFolder is null && !string.IsNullOrEmpty(baseName)))
            return NotFound("There is no such run; choose one or more on the first page.");

        var readable = ReadableRuns.Read(names.Zip(folders.OfType<string>()));
        var before = baseFolder is null || !readable.HasLast ? null : BaselineReader.Read(baseFolder);
        var comparison = before is null
            ? null
            : KnownNoise.Compare(before, readable.Runs[^1].Run, ComparisonSettings.Default, HistoryFile.Read());
        var document = ReportBuilder.Build(readable.Runs, comparison, offer: readable.Offer(baseName, before)) with
        {
            LeftOut = readable.LeftOut,
        };
        return (HttpStatusCode.OK, "text/html", Html(writer => HtmlReport.Write(writer, document)));
    }

    /// <summary>Two runs: the older one is the base.</summary>
    private (HttpStatusCode Status, string Type, string Body) Compare(string[] names) =>
        names.Distinct().Order(StringComparer.Ordinal).ToArray() switch
        {
            [var older, var newer] => Report([newer], older),
            var chosen => (
                HttpStatusCode.BadRequest,
                "text/plain",
                $"Choose two runs to compare; {chosen.Length} {(chosen.Length == 1 ? "was" : "were")} chosen."
            ),
        };

    /// <summary>A comparison has a page in its folder; any other page is made of the results.</summary>
    private (HttpStatusCode Status, string Type, string Body) Page(string name) =>
        ListedRun.In(_folder).FirstOrDefault(run => run.Name == name) switch
        {
            { Faults: { } faults } => (HttpStatusCode.OK, "text/html", Html(writer => FaultPage.Write(writer, faults))),
            { HasPage: true } => File(Path.Combine(_folder, name, RunFolder.PageFile), "text/html"),
            _ => Report([name], null),
        };

    /// <summary>The folder of a run by its name; null when there is none.</summary>
    private string? Find(string name) => Names().Contains(name) ? Path.Combine(_folder, name) : null;

    /// <summary>The names of finished runs, newest first: a name starts with the run's time.</summary>
    private string[] Names() =>
        !Directory.Exists(_folder)
            ? []
            :
            [
                .. Directory
                    .EnumerateDirectories(_folder)
                    .Where(folder => JsonFile.Exists(folder, RunFolder.SummaryFile))
                    .Select(folder => Path.GetFileName(folder))
                    .OrderDescending(StringComparer.Ordinal),
            ];

    private static (HttpStatusCode Status, string Type, string Body) File(string path, string type) =>
        System.IO.File.Exists(path)
            ? (HttpStatusCode.OK, type, Encoding.UTF8.GetString(JsonFile.Read(path)))
            : NotFound("This run has no such file.");

    private static (HttpStatusCode Status, string Type, string Body) NotFound(string sentence) =>
        (HttpStatusCode.NotFound, "text/plain", sentence);

    private static string Html(Action<TextWriter> write)
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture);
        write(text);
        return text.ToString();
    }
}
