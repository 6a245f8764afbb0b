using Serdica.Perf.Analysis.Floors;

namespace Serdica.Perf.Cli.Floors;

/// <summary>The folder of one measurement: complete after every change, so that a killed process leaves what it has measured.</summary>
internal sealed class FloorFolder
{
    public const string ResultFile = "floor.json";
    public const string ReportFile = "floor.md";

    /// <summary>What pgbench runs, kept beside what it measured.</summary>
    public const string ScriptFile = "floor.sql";

    private FloorFolder(string path, FloorResult result) => (Path, Result) = (path, result);

    public string Path { get; }

    public FloorResult Result { get; private set; }

    public static string Text(FloorResult result) => JsonSerializer.Serialize(result, MeasurementJson.Artifacts) + "\n";

    public static FloorFolder Create(string root, FloorResult result) =>
        new(RunFolder.CreateFolder(root, result.StartedAt, "postgresql-floor", (draft, _) => Write(draft, result)), result);

    public void Update(Func<FloorResult, FloorResult> change)
    {
        Result = change(Result);
        Write(Path, Result);
    }

    /// <returns>The full path of the script.</returns>
    public string WriteScript()
    {
        var path = System.IO.Path.Combine(Path, ScriptFile);
        using var script = typeof(FloorFolder).Assembly.GetManifestResourceStream(ScriptFile)!;
        using var file = File.Create(path);
        script.CopyTo(file);
        return path;
    }

    private static void Write(string folder, FloorResult result)
    {
        using var report = new StringWriter(CultureInfo.InvariantCulture);
        FloorMarkdown.Write(report, result);
        WholeFile.Write(System.IO.Path.Combine(folder, ReportFile), report.ToString());
        WholeFile.Write(System.IO.Path.Combine(folder, ResultFile), Text(result));
    }
}
