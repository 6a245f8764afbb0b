#!/usr/bin/env dotnet
#:property PublishAot=false
#:property PartsFolder=Testing
#:property RootNamespace=Serdica.Perf

// Runs all tests: sets the machine up, builds, runs every test project and adds up. The performance suite and the
// benchmarks are not tests; they are not run here. The last line is `N passed, N failed, N skipped`.
//
// A test that skips although this machine has what it needs is a failure, and so is a skip for a reason that nobody
// expects (eng/Testing/ExpectedSkips.cs).
//
//   dotnet run eng/test.cs [-- --project NAME] [--no-setup] [--no-build] [--results DIR] [--may-skip NAMES] [arguments for the tests]
//
// --project NAME   only the projects whose name contains NAME; may be given more than once
// --no-setup       leaves the machine and drivers.props as they are
// --no-build       runs the test programs as they were built last
// --results DIR    keeps the results as TRX files in DIR
// --may-skip NAMES only these skips are expected, with commas between them; without it, all of the list
//
// Other arguments go to the test programs, which are xUnit's: -class "*PostgreSqlCompliance*", -method "*name*"; -? lists them.

using System.Xml;
using System.Xml.Linq;
using Serdica.Perf.Databases;
using Serdica.Perf.Databases.PostgreSql.Installed;
using Serdica.Perf.Testing;

var root = Child.Repository;
var options = TestOptions.Parse(args);

// The options of the test programs have one hyphen.
var own = options.PassedOn.Where(argument => argument.StartsWith("--", Ordinal));
if (ScriptArguments.HasUnknown(own, "--project NAME", "--no-setup", "--no-build", "--results DIR", "--may-skip NAMES"))
    return 2;

if (options.Projects.FirstOrDefault(name => !TestProjects.In(root, [name]).Any()) is { } unknown)
{
    Console.WriteLine($"--project is '{unknown}'; no name of a test project contains it.");
    return 2;
}

// Without a database tests skip and say so; the exit code of the set-up decides nothing here.
if (options.Setup)
    await Child.DotnetAsync(root, "run", Path.Combine(root, "eng", "setup.cs"), "--", "--quiet");

var projects = TestProjects.In(root, options.Projects).ToList();

foreach (var target in !options.Build ? [] : options.Projects.Count == 0 ? [Path.Combine(root, "Serdica.Perf.sln")] : projects)
{
    Console.WriteLine($"Building {Path.GetFileName(target)} ...");

    if (await Child.DotnetAsync(root, "build", target, "-c", "Release", "-v", "quiet", "--nologo") != 0)
    {
        Console.WriteLine($"{Path.GetFileName(target)} does not build; the errors are above.");
        return Summary.Print([], [], null) ? 0 : 1;
    }
}

var resultFolder = options.Results ?? OwnFolder.CreateTemporary("serdica-perf-results-");
var temporary = OwnFolder.CreateTemporary("serdica-perf-");
var results = new List<ProjectResult>();

try
{
    await MakeTopDirectoryAsync(temporary);

    // The tests of one project run side by side already; one project more than there are cores, because some of them mostly wait.
    var atOnce = new ParallelOptions { MaxDegreeOfParallelism = Environment.ProcessorCount + 1 };
    await Parallel.ForEachAsync(projects, atOnce, async (project, _) =>
    {
        var result = await RunProjectAsync(project);
        lock (results)
            results.Add(result);
    });
    results.Sort((one, other) => string.CompareOrdinal(one.Name, other.Name));
}
finally
{
    await DeleteTemporaryAsync();
    if (options.Results is null)
        OwnFolder.Delete(resultFolder);
}

return Summary.Print(results, ExpectedSkip.On(new TestMachine(root)), options.MaySkip) ? 0 : 1;

// For each new file, ext4 searches among the inodes that were deleted near by in the last minutes, and tests make and delete hundreds
// of thousands. Below a top directory each folder has a place of its own. What cannot be one stays an ordinary folder.
async Task MakeTopDirectoryAsync(string folder)
{
    if (OperatingSystem.IsLinux())
        await Child.CaptureAsync("chattr", ["+T", folder], root);

    // Servers run as another user when the tests run as root.
    if (!OperatingSystem.IsWindows())
        File.SetUnixFileMode(folder, File.GetUnixFileMode(folder) | UnixFileMode.GroupExecute | UnixFileMode.OtherExecute);
}

// Leaves the logs of servers that did not start, which the failures name, and what cannot be deleted.
async Task DeleteTemporaryAsync()
{
    // Watchdogs outlive the tests for some seconds, to stop servers and delete their folders.
    for (var looks = 0; looks < 50 && Directory.EnumerateDirectories(temporary, "serdica-perf-postgresql-*").Any(); looks++)
        await Task.Delay(200);

    if (Directory.EnumerateFiles(temporary, "*.log").Any())
    {
        Console.WriteLine($"Logs of servers are in {temporary}; delete it when you have read them.");
        return;
    }

    try
    {
        OwnFolder.Delete(temporary);
    }
    catch (Exception e) when (e is IOException or UnauthorizedAccessException)
    {
        Console.WriteLine($"{temporary} cannot be deleted, delete it yourself: {e.Message}");
    }
}

async Task<ProjectResult> RunProjectAsync(string project)
{
    var name = Path.GetFileNameWithoutExtension(project);
    var trx = Path.Combine(resultFolder, name + ".trx");

    // The program itself: the processes that `dotnet test` starts around it need about 3 s of processor time for each project.
    var program = Path.Combine(Path.GetDirectoryName(project)!, "bin", "Release", "net10.0", PostgreSqlBinaries.Executable(name));

    Console.WriteLine($"{name} ...");
    var started = Stopwatch.GetTimestamp();

    // Tests start hundreds of short processes, and none of their figures is a measurement: code that runs some hundred times does not earn
    // what its optimization costs. Without it, a run under faults takes 12 s of processor time in place of 18. Those of Measurement compute
    // in one process for minutes. New code keeps coming there, and with the usual delay all of it would stay slow.
    Dictionary<string, string> environment =
        name == "Serdica.Perf.Measurement.Tests"
            ? new() { ["DOTNET_TieredPGO"] = "0", ["DOTNET_TC_CallCountingDelayMs"] = "0" }
            : new() { ["DOTNET_JITMinOpts"] = "1", ["DOTNET_TieredCompilation"] = "0" };
    environment["TMPDIR"] = temporary;

    var (exitCode, output, error) = await Child.CaptureAsync(program, ["-noColor", "-trx", trx, .. options.PassedOn], root, environment);
    var result = ProjectResult.Read(name, trx, exitCode) with { Duration = Stopwatch.GetElapsedTime(started) };

    // A filter may leave out every test of a project; nothing else does.
    if (result is { Crash: null, Passed: 0, Failures: [], SkipReasons: [] } && options.PassedOn.Count == 0)
        result = result with { Crash = "has no test" };

    // The results are reported from their file; a program that dies writes none, and what it printed names the tests that failed before.
    if (result.Crash is not null)
        Console.WriteLine($"{output}\n{error}");

    foreach (var failure in result.Failures)
        Console.WriteLine($"  failed: {failure.ReplaceLineEndings("\n    ")}");

    return result;
}

internal sealed record TestOptions(
    bool Setup,
    bool Build,
    string? Results,
    IReadOnlyList<string> Projects,
    IReadOnlyCollection<string>? MaySkip,
    IReadOnlyList<string> PassedOn
)
{
    public static TestOptions Parse(string[] args)
    {
        var (setup, build) = (true, true);
        string? results = null;
        string[]? maySkip = null;
        var projects = new List<string>();
        var passedOn = new List<string>();

        for (var i = 0; i < args.Length; i++)
        {
            if (args[i] == "--no-setup")
                setup = false;
            else if (args[i] == "--no-build")
                build = false;
            else if (args[i] == "--project" && i + 1 < args.Length)
                projects.Add(args[++i]);
            else if (args[i] == "--results" && i + 1 < args.Length)
                results = Path.GetFullPath(args[++i]);
            else if (args[i] == "--may-skip" && i + 1 < args.Length)
                maySkip = args[++i].Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
            else
                passedOn.Add(args[i]);
        }

        return new TestOptions(setup, build, results, projects, maySkip, passedOn);
    }
}

internal static class TestProjects
{
    private static readonly string[] Load = ["Serdica.Perf.Suite", "Serdica.Perf.Benchmarks"];

    /// <summary>
    /// These take less than two minutes each; what takes longer begins before them, or the last would run alone. The first two of them
    /// mostly wait: for servers, and in a new clone for npm.
    /// </summary>
    private static readonly string[] Short =
    [
        "Serdica.Perf.Databases.Tests",
        "Serdica.Perf.Workflows.Oracle.Tests",
        "Serdica.Perf.Report.Tests",
        "Serdica.Perf.Workflows.Tests",
    ];

    public static IEnumerable<string> In(string root, IReadOnlyList<string> wanted) =>
        Directory
            .EnumerateFiles(Path.Combine(root, "tests"), "*.csproj", SearchOption.AllDirectories)
            .Where(file => !Load.Contains(Path.GetFileNameWithoutExtension(file)))
            .Where(file =>
                wanted.Count == 0
                || wanted.Any(name => Path.GetFileNameWithoutExtension(file).Contains(name, OrdinalIgnoreCase))
            )
            .OrderBy(file => Array.IndexOf(Short, Path.GetFileNameWithoutExtension(file)))
            .ThenBy(file => file, StringComparer.Ordinal);
}

/// <summary>What one project's tests came to.</summary>
internal sealed record ProjectResult(
    string Name,
    int Passed,
    IReadOnlyList<string> Failures,
    IReadOnlyList<string> SkipReasons,
    string? Crash
)
{
    /// <summary>With the start of the program.</summary>
    public TimeSpan Duration { get; init; }

    private static readonly XNamespace Trx = "http://microsoft.com/schemas/VisualStudio/TeamTest/2010";

    /// <summary>What a test printed is a message as well, and comes before that of its failure.</summary>
    private static readonly XName Printed = Trx + "TextMessages";

    public static ProjectResult Read(string name, string file, int exitCode)
    {
        if (!File.Exists(file))
            return new ProjectResult(name, 0, [], [], $"ended with exit code {exitCode} and without results");

        try
        {
            return Read(name, XDocument.Load(file), exitCode);
        }
        catch (XmlException e)
        {
            return new ProjectResult(name, 0, [], [], $"ended with exit code {exitCode} and results that cannot be read ({e.Message})");
        }
    }

    private static ProjectResult Read(string name, XDocument document, int exitCode)
    {
        var tests = document.Descendants(Trx + "UnitTestResult").ToLookup(test => (string?)test.Attribute("outcome"));
        var skipped = tests["NotExecuted"].Select(Message).ToList();
        var failures = tests
            .Where(outcome => outcome.Key is not ("Passed" or "NotExecuted"))
            .SelectMany(outcome => outcome)
            .Select(test =>
                (
                    $"{(string?)test.Attribute("testName")}\n{Message(test)}"
                    + $"\n{(string?)test.Descendants(Trx + "StackTrace").FirstOrDefault()}"
                ).TrimEnd()
            )
            .ToList();

        // One that dies after its last test has written its results; its exit code tells.
        var crash = exitCode != 0 && failures.Count == 0 ? $"ended with exit code {exitCode} although no test failed" : null;
        return new ProjectResult(name, tests["Passed"].Count(), failures, skipped, crash);
    }

    private static string Message(XElement test) =>
        (
            (string?)test.Descendants(Trx + "Message").FirstOrDefault(message => message.Parent!.Name != Printed)
            ?? (string?)test.Descendants(Trx + "StdOut").FirstOrDefault()
            ?? "no reason given"
        ).Trim();
}

internal static class Summary
{
    /// <summary>Prints the totals, and returns whether tests ran and all is well.</summary>
    public static bool Print(
        IReadOnlyList<ProjectResult> results,
        IReadOnlyList<ExpectedSkip> expected,
        IReadOnlyCollection<string>? maySkip
    )
    {
        var passed = results.Sum(result => result.Passed);
        var failed = results.Sum(result => result.Failures.Count);
        var skipped = results.SelectMany(result => result.SkipReasons).ToList();
        var crashes = results.Where(result => result.Crash is not null).ToList();

        Console.WriteLine();

        foreach (var result in results)
            Console.WriteLine(
                $"{result.Name}: {result.Passed} passed, {result.Failures.Count} failed, {result.SkipReasons.Count} skipped, "
                    + $"{result.Duration:m\\:ss} min"
            );

        var faults = 0;
        foreach (var reason in skipped.GroupBy(reason => reason).OrderByDescending(group => group.Count()))
        {
            var fault = ExpectedSkip.Fault(reason.Key, expected, maySkip);
            faults += fault is null ? 0 : 1;
            Console.WriteLine($"skipped {reason.Count()}: {reason.Key}{(fault is null ? "" : $" NOT EXPECTED: {fault}.")}");
        }

        foreach (var crash in crashes)
            Console.WriteLine($"CRASHED: {crash.Name} {crash.Crash}.");

        if (passed + failed == 0)
            Console.WriteLine("No test ran: that counts as a failure.");

        Console.WriteLine($"{passed} passed, {failed} failed, {skipped.Count} skipped");
        return passed + failed > 0 && failed == 0 && faults == 0 && crashes.Count == 0;
    }
}
