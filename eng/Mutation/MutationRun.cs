using Serdica.Perf.Databases;
using Serdica.Perf.Databases.PostgreSql.Installed;

namespace Serdica.Perf.Mutation;

/// <summary>Runs the tests of a target: once as the code is, and once for each mutant with the classes that reach it.</summary>
internal sealed partial class MutationRun(IReadOnlyDictionary<string, TestClass> classes)
{
    /// <summary>A mutant that lasts this many times as long as the code as it is does not end.</summary>
    private const int Patience = 10;

    private static readonly TimeSpan LeastPatience = FromSeconds(30);

    /// <summary>Up to three times the quickest class; the start of a process is most of that.</summary>
    private TimeSpan Quick { get; } = 3 * classes.Values.Min(one => one.Time);

    /// <param name="sample">How many mutants are judged; null for all.</param>
    /// <param name="offset">The mutant at which a sample begins.</param>
    /// <param name="console">Shows the progress, and each survivor at once: a run that is stopped has not lost them.</param>
    public static async Task<MutationReport> RunAsync(
        string root,
        MutationTarget target,
        int? sample,
        int offset,
        Survivors excused,
        TextWriter console
    )
    {
        var project = Path.Combine(root, "src", target.Project, $"{target.Project}.csproj");
        var folders = target.Tests.Select(tests => Path.Combine(root, "tests", tests.Project, "bin", "Mutation")).ToArray();
        try
        {
            foreach (var (tests, folder) in target.Tests.Zip(folders))
                await BuildAsync(Path.Combine(root, "tests", tests.Project, $"{tests.Project}.csproj"), folder);
            var assembly = Path.Combine(folders[0], $"{target.Project}.dll");
            var mutants = target.AreScripts
                ? await SwitchedAssembly.OfScriptsAsync(project, target.Files, assembly)
                : await SwitchedAssembly.CompileAsync(project, target.Files, assembly);
            var (classes, reached) = (new Dictionary<string, TestClass>(), new Dictionary<int, List<string>>());
            foreach (var (tests, folder) in target.Tests.Zip(folders))
            {
                if (folder != folders[0])
                    File.Copy(assembly, Path.Combine(folder, Path.GetFileName(assembly)), overwrite: true);
                await MeasureAsync(tests, folder, classes, reached);
            }

            var judged = sample < mutants.Count ? Spread(mutants, sample.Value, offset) : mutants;
            console.WriteLine($"{target.Name}: {judged.Count} of {mutants.Count} mutants, {classes.Count} test classes ...");
            var (run, unchanged) = (new MutationRun(classes), await File.ReadAllBytesAsync(assembly));
            await run.JudgeAsync(judged, reached, excused, console);
            await File.WriteAllBytesAsync(assembly, unchanged);
            await run.PassAgainAsync();
            Mutant[] fates = [.. judged.Where(mutant => mutant.Fate != Mutant.None)];
            return new(target.Name, fates, mutants.Count, fates.Count(excused.Excuse));
        }
        finally
        {
            foreach (var folder in folders)
                OwnFolder.Delete(folder);
        }
    }

    private async Task JudgeAsync(
        IReadOnlyList<Mutant> mutants,
        IReadOnlyDictionary<int, List<string>> reached,
        Survivors excused,
        TextWriter console
    )
    {
        var started = Stopwatch.GetTimestamp();
        foreach (var (index, mutant) in mutants.Index())
        {
            mutant.Prepare?.Invoke();
            var names = mutant.Prepare is null ? reached.GetValueOrDefault(mutant.Id) : classes.Keys;
            mutant.Fate = names is null ? "not reached" : await FateAsync(mutant, [.. names]);
            if (mutant is { IsKilled: false, Fate: not Mutant.None })
                console.WriteLine($"  {excused.Describe(mutant)}");
            if (index % 10 == 9)
            {
                var killed = mutants.Take(index + 1).Count(one => one.IsKilled);
                console.WriteLine(
                    $"  {index + 1} of {mutants.Count}, {killed} killed, after {Stopwatch.GetElapsedTime(started).TotalSeconds:0} s"
                );
            }
        }
    }

    /// <summary>Where the tests no longer run, as without a server or on a full disk, every mutant since then looks killed.</summary>
    private async Task PassAgainAsync()
    {
        foreach (var some in classes.GroupBy(one => one.Value.Program, one => one.Key))
        {
            string[] arguments = [.. some.SelectMany(name => new[] { "-class", name })];
            var (exitCode, output, error) = await Child.CaptureAsync(some.Key, arguments, Environment.CurrentDirectory);
            if (exitCode != 0)
                throw new MutationException($"{some.Key} fails on unchanged code after the mutants:\n{output}\n{error}");
        }
    }

    /// <summary>
    /// The quick classes of a program first, in one process: most mutants fail there, and to start one takes longer than most tests.
    /// </summary>
    private async Task<string> FateAsync(Mutant mutant, string[] names)
    {
        foreach (var some in names.GroupBy(name => (classes[name].Time > Quick, classes[name].Program)).OrderBy(some => some.Key))
        {
            if (await FateOfAsync(mutant, [.. some]) is var fate && fate != "survived")
                return fate;
        }

        return "survived";
    }

    private async Task<string> FateOfAsync(Mutant mutant, string[] names)
    {
        var usual = names.Sum(name => classes[name].Time.TotalSeconds);
        var limit = FromSeconds(Math.Max(LeastPatience.TotalSeconds, Patience * usual));
        var (exitCode, output, _) = await Child.CaptureAsync(
            classes[names[0]].Program,
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
    private static async Task MeasureAsync(
        MutationTests tests,
        string folder,
        Dictionary<string, TestClass> classes,
        Dictionary<int, List<string>> reached
    )
    {
        var program = Path.Combine(folder, PostgreSqlBinaries.Executable(tests.Project));
        var (_, listed, _) = await Child.CaptureAsync(program, ["-list", "classes/json", .. tests.Filter], Environment.CurrentDirectory);
        var names = JsonSerializer.Deserialize<string[]>(listed[listed.IndexOf('[')..(listed.LastIndexOf(']') + 1)])!;
        if (names.Length == 0)
            throw new MutationException($"No test class of {tests.Project} has a name like {string.Join(", ", tests.Classes)}.");
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
            classes[name] = new(program, Stopwatch.GetElapsedTime(started));
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
    }

    private static IReadOnlyList<Mutant> Spread(IReadOnlyList<Mutant> mutants, int count, int offset) =>
        [.. Enumerable.Range(0, count).Select(at => mutants[(int)((((long)at * mutants.Count / count) + offset) % mutants.Count)])];

    /// <summary>
    /// Builds a test project, and copies it to a folder below the tests: they look for the repository above them.
    /// </summary>
    private static async Task BuildAsync(string project, string folder)
    {
        var (exitCode, output, error) = await Child.CaptureAsync(
            "dotnet",
            ["build", project, "-c", "Release", "-v", "quiet", "--nologo"],
            Environment.CurrentDirectory
        );
        if (exitCode != 0)
            throw new MutationException($"{project} does not build:\n{output}\n{error}");
        OwnFolder.Delete(folder);
        OwnFolder.Create(folder);
        Copy(Path.Combine(folder, "..", "Release", "net10.0"), folder);
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

/// <summary>A test class of a target.</summary>
/// <param name="Time">How long it takes with the code as it is.</param>
internal sealed record TestClass(string Program, TimeSpan Time);
