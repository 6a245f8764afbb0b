using System.Diagnostics;
using Serdica.Perf.Databases;

namespace Serdica.Perf.Mutation;

/// <summary>Runs the tests of a target: once as the code is, and once for each mutant with the classes that reach it.</summary>
internal sealed partial class MutationRun(string program, IReadOnlyDictionary<string, TimeSpan> classes)
{
    /// <summary>A mutant that lasts this many times as long as the code as it is does not end.</summary>
    private const int Patience = 10;

    private static readonly TimeSpan LeastPatience = TimeSpan.FromSeconds(30);

    /// <summary>Up to three times the quickest class; the start of a process is most of that.</summary>
    private TimeSpan Quick { get; } = 3 * classes.Values.Min();

    /// <param name="root">The repository.</param>
    /// <param name="target">What is changed.</param>
    /// <param name="sample">How many mutants are judged; null for all.</param>
    /// <param name="console">Shows the progress.</param>
    public static async Task<MutationReport> RunAsync(string root, MutationTarget target, int? sample, TextWriter console)
    {
        var project = Path.Combine(root, "src", target.Project, $"{target.Project}.csproj");
        var tests = Path.Combine(root, "tests", target.Tests);
        await BuildAsync(Path.Combine(tests, $"{target.Tests}.csproj"));

        // Beside the build, below the tests: they look for the repository above them.
        var bin = Path.Combine(tests, "bin", "Mutation");
        OwnFolder.Delete(bin);
        OwnFolder.Create(bin);
        try
        {
            Copy(Path.Combine(tests, "bin", "Release", "net10.0"), bin);
            var assembly = Path.Combine(bin, $"{target.Project}.dll");
            var mutants = target.AreScripts
                ? await SwitchedAssembly.OfScriptsAsync(project, target.Files, assembly)
                : await SwitchedAssembly.CompileAsync(project, target.Files, assembly);
            var program = Path.Combine(bin, target.Tests + (OperatingSystem.IsWindows() ? ".exe" : ""));
            var (classes, reached) = await MeasureAsync(program, target, bin);
            var judged = sample < mutants.Count ? Spread(mutants, sample.Value) : mutants;
            console.WriteLine($"{target.Name}: {judged.Count} of {mutants.Count} mutants, {classes.Count} test classes ...");
            await new MutationRun(program, classes).JudgeAsync(judged, reached, console);
            return new(target.Name, [.. judged.Where(mutant => mutant.Fate != Mutant.None)], mutants.Count);
        }
        finally
        {
            OwnFolder.Delete(bin);
        }
    }

    private async Task JudgeAsync(IReadOnlyList<Mutant> mutants, IReadOnlyDictionary<int, List<string>> reached, TextWriter console)
    {
        var started = Stopwatch.GetTimestamp();
        foreach (var (index, mutant) in mutants.Index())
        {
            mutant.Prepare?.Invoke();
            var names = mutant.Prepare is null ? reached.GetValueOrDefault(mutant.Id) : classes.Keys;
            mutant.Fate = names is null ? "not reached" : await FateAsync(mutant, [.. names]);
            if (index % 50 == 49)
            {
                var killed = mutants.Take(index + 1).Count(one => one.IsKilled);
                console.WriteLine(
                    $"  {index + 1} of {mutants.Count}, {killed} killed, after {Stopwatch.GetElapsedTime(started).TotalSeconds:0} s"
                );
            }
        }
    }

    /// <summary>The quick classes first, in one process: most mutants fail there, and to start one takes longer than most tests.</summary>
    private async Task<string> FateAsync(Mutant mutant, string[] names)
    {
        foreach (var some in names.GroupBy(name => classes[name] > Quick).OrderBy(group => group.Key))
        {
            if (await FateOfAsync(mutant, [.. some]) is var fate && fate != "survived")
                return fate;
        }

        return "survived";
    }

    private async Task<string> FateOfAsync(Mutant mutant, string[] names)
    {
        var limit = TimeSpan.FromSeconds(Math.Max(LeastPatience.TotalSeconds, Patience * names.Sum(name => classes[name].TotalSeconds)));
        var (exitCode, output, _) = await Child.CaptureAsync(
            program,
            [.. names.SelectMany(name => new[] { "-class", name }), "-stopOnFail"],
            Environment.CurrentDirectory,
            new Dictionary<string, string> { ["SERDICA_PERF_MUTANT"] = $"{mutant.Id}" },
            limit
        );
        return exitCode switch
        {
            Child.OutOfTime => "timeout",
            0 => "survived",
            _ when mutant.Prepare is not null && NoStatement().IsMatch(output) => Mutant.None,
            _ => "killed",
        };
    }

    /// <summary>The codes by which PostgreSQL refuses a statement that it cannot parse or whose names or types do not fit.</summary>
    [GeneratedRegex(@"\b42(?:601|702|703|803|804|809|883|P01|P10|P18):")]
    private static partial Regex NoStatement();

    /// <summary>How long each class takes, and which mutants each reaches. All must pass as the code is.</summary>
    private static async Task<(IReadOnlyDictionary<string, TimeSpan> Classes, IReadOnlyDictionary<int, List<string>> Reached)> MeasureAsync(
        string program,
        MutationTarget target,
        string folder
    )
    {
        string[] filter =
        [
            .. target.Classes.SelectMany(pattern => new[] { "-class", pattern }),
            .. target.Without.SelectMany(name => new[] { "-class-", name }),
        ];
        var (_, listed, _) = await Child.CaptureAsync(program, ["-list", "classes/json", .. filter], Environment.CurrentDirectory);
        var names = JsonSerializer.Deserialize<string[]>(listed[listed.IndexOf('[')..(listed.LastIndexOf(']') + 1)])!;
        var classes = new Dictionary<string, TimeSpan>();
        var reached = new Dictionary<int, List<string>>();
        foreach (var name in names)
        {
            var file = Path.Combine(folder, $"reached-{classes.Count}");
            var started = Stopwatch.GetTimestamp();
            var (exitCode, output, error) = await Child.CaptureAsync(
                program,
                ["-class", name],
                Environment.CurrentDirectory,
                new Dictionary<string, string> { ["SERDICA_PERF_MUTANTS_REACHED"] = file }
            );
            if (exitCode != 0)
                throw new MutationException($"{name} fails before anything is changed:\n{output}\n{error}");
            classes[name] = Stopwatch.GetElapsedTime(started);
            if (!File.Exists(file))
                continue;
            foreach (var line in File.ReadLines(file))
            {
                var mutant = int.Parse(line, null);
                if (!reached.TryGetValue(mutant, out var by))
                    reached[mutant] = by = [];
                by.Add(name);
            }
        }

        if (classes.Count == 0)
            throw new MutationException($"No test class has a name like {string.Join(", ", target.Classes)}.");
        return (classes, reached);
    }

    private static IReadOnlyList<Mutant> Spread(IReadOnlyList<Mutant> mutants, int count) =>
        [.. Enumerable.Range(0, count).Select(at => mutants[(int)((long)at * mutants.Count / count)])];

    private static async Task BuildAsync(string tests)
    {
        var (exitCode, output, error) = await Child.CaptureAsync(
            "dotnet",
            ["build", tests, "-c", "Release", "-v", "quiet", "--nologo"],
            Environment.CurrentDirectory
        );
        if (exitCode != 0)
            throw new MutationException($"{tests} does not build:\n{output}\n{error}");
    }

    private static void Copy(string from, string to)
    {
        foreach (var file in Directory.EnumerateFiles(from, "*", SearchOption.AllDirectories))
        {
            var copy = Path.Combine(to, Path.GetRelativePath(from, file));
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            File.Copy(file, copy);
        }
    }
}
