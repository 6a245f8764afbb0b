namespace Serdica.Perf.Faults.Tests.Checking;

/// <summary>A history in memory, which a test changes and has checked again.</summary>
internal sealed class KeptHistory
{
    /// <summary>The histories of right engines, in the form of their files: a test changes its own copy.</summary>
    private static readonly ConcurrentDictionary<(string Shape, int Seed), Lazy<Task<Dictionary<string, string[]>>>> Kept = new();

    private readonly Dictionary<string, List<HistoryRecord>> _files = [];

    /// <summary>The history of a right engine on the in-memory backend: several clients, two hosts, attempts that fail, a host that
    /// is stopped for a while.</summary>
    public static async Task<KeptHistory> OfRightEngineAsync(string shape, int seed)
    {
        var kept = new KeptHistory();
        foreach (var (process, lines) in await Kept.GetOrAdd((shape, seed), _ => new(() => SimulateAsync(shape, seed))).Value)
            kept._files[process] = [.. lines.Select(Record)];
        return kept;
    }

    private static async Task<Dictionary<string, string[]>> SimulateAsync(string shape, int seed)
    {
        using var folder = new TemporaryFolder();
        var plan = new SimulatedPlan
        {
            Shape = Shape.All.Single(candidate => candidate.Name == shape),
            Seed = seed,
            Clients = 3,
            Pauses = true,
            AttemptFails = attempt => attempt == 1,
        };
        await SimulatedRun.CheckAsync(plan, folder.Path);
        return HistoryFolder
            .Files(folder.Path)
            .Select(file => Path.GetFileNameWithoutExtension(file))
            .ToDictionary(process => process, process => Read(folder.Path, process).Select(Text).ToArray());
    }

    /// <summary>Replaces each line by what is made of it: itself, others, or none.</summary>
    public void Rewrite(Func<HistoryRecord, IEnumerable<HistoryRecord>> rewrite)
    {
        foreach (var lines in _files.Values)
        {
            var rewritten = lines.SelectMany(rewrite).ToList();
            lines.Clear();
            lines.AddRange(rewritten);
        }
    }

    /// <summary>Replaces the first line that fits.</summary>
    /// <returns>Whether there was one.</returns>
    public bool RewriteFirst(Func<HistoryRecord, bool> fits, Func<HistoryRecord, IEnumerable<HistoryRecord>> rewrite)
    {
        var found = false;
        Rewrite(line =>
        {
            if (found || !fits(line))
                return [line];
            found = true;
            return rewrite(line);
        });
        return found;
    }

    public IEnumerable<HistoryRecord> Lines => _files.Values.SelectMany(lines => lines);

    /// <summary>Starts a process, which records the time; one that is not started has started in 1970.</summary>
    public void Begin(string process, DateTimeOffset time) =>
        _files.Add(process, [new() { Kind = HistoryKind.Process, Process = process, Time = time }]);

    public void Add(string process, params HistoryRecord[] lines)
    {
        if (!_files.ContainsKey(process))
            Begin(process, DateTimeOffset.UnixEpoch);
        _files[process].AddRange(lines);
    }

    public CheckReport Check()
    {
        using var folder = new TemporaryFolder();
        foreach (var (process, lines) in _files)
            File.WriteAllLines(HistoryFolder.FileOf(folder.Path, process), lines.Select(Text));
        return HistoryChecker.Check(folder.Path);
    }

    /// <summary>The lines of one process in a folder.</summary>
    public static List<HistoryRecord> Read(string folder, string process)
    {
        using var reader = new HistoryReader(HistoryFolder.FileOf(folder, process));
        var lines = new List<HistoryRecord>();
        while (reader.Read() is { Record: var record })
            lines.Add(record);
        return lines;
    }

    private static HistoryRecord Record(string line) => JsonSerializer.Deserialize(line, HistoryJson.Default.HistoryRecord)!;

    private static string Text(HistoryRecord record) => JsonSerializer.Serialize(record, HistoryJson.Default.HistoryRecord);
}
