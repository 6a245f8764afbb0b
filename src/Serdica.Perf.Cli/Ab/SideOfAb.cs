namespace Serdica.Perf.Cli.Ab;

/// <summary>One of the two that `ab` compares, as the user wrote it.</summary>
internal sealed record SideOfAb
{
    /// <summary>For people.</summary>
    public const string Forms =
        "here (this program as it is), commit:REV, backend:NAME, server:NAME, settings:FILE, image:NAME, size:CPUS,MEMORY, "
        + "options of 'run' such as \"--workers 8\", or several of these in one text, separated by spaces";

    private const string Here = "here";
    private const string CommitPrefix = "commit:";
    private const string BackendPrefix = "backend:";
    private const string ServerPrefix = "server:";
    private const string OptionPrefix = "option:";

    /// <summary>What a side may set for itself, and whether it has a value.</summary>
    private static readonly Dictionary<string, bool> Settable = new()
    {
        ["--operations"] = true,
        ["--concurrency"] = true,
        ["--workers"] = true,
        ["--engine"] = true,
        ["--load"] = true,
        ["--warmup"] = true,
        ["--step-delay"] = true,
        ["--no-statistics"] = false,
    };

    /// <summary>As it was written.</summary>
    public required string Text { get; init; }

    /// <summary>A revision that git knows, its full id once that is resolved; null for this program.</summary>
    public string? Commit { get; init; }

    /// <summary>Null for the one that both sides share.</summary>
    public string? Backend { get; init; }

    /// <summary>A server that a variable names; null for the one that both sides share.</summary>
    public NamedSide? Server { get; init; }

    /// <summary>What its server is started with, in place of what both sides share.</summary>
    public ServerConditions Conditions { get; init; } = ServerConditions.None;

    /// <summary>Options of `run` by name, in place of those that both sides share.</summary>
    public IReadOnlyDictionary<string, string?> Options { get; init; } = new Dictionary<string, string?>();

    /// <exception cref="UsageException">It is not understood.</exception>
    public static SideOfAb Parse(string side, string text)
    {
        var words = new Queue<string>(text.Split(' ', RemoveEmptyEntries | TrimEntries));
        var options = new Dictionary<string, string?>();
        var parsed = new SideOfAb { Text = text, Options = options };
        while (words.TryDequeue(out var word))
        {
            if (After(word, CommitPrefix) is { } commit)
                parsed = parsed with { Commit = commit };
            else if (After(word, BackendPrefix) is { } backend)
                parsed = parsed with { Backend = backend };
            else if (After(word, ServerPrefix) is { } server)
                parsed = parsed with { Server = NamedSide.Parse(side, server) };
            else if (After(word, ServerConditions.SettingsPrefix) is { } file)
                parsed = parsed with { Conditions = parsed.Conditions.WithSettings(side, file) };
            else if (After(word, ServerConditions.ImagePrefix) is { } image)
                parsed = parsed with { Conditions = parsed.Conditions with { Image = image } };
            else if (After(word, ServerConditions.SizePrefix) is { } size)
                parsed = parsed with { Conditions = parsed.Conditions.WithSize(side, size) };
            else if (word != Here)
                AddOption(side, After(word, OptionPrefix) ?? word, words, options);
        }

        if (parsed.Backend is { } name)
            ScenarioNames.CheckBackend(name);
        return parsed;
    }

    private static string? After(string word, string prefix) =>
        word.StartsWith(prefix, Ordinal) && word.Length > prefix.Length ? word[prefix.Length..] : null;

    private static void AddOption(string side, string word, Queue<string> following, Dictionary<string, string?> options)
    {
        var parts = word.Split('=', 2);
        if (!Settable.TryGetValue(parts[0], out var hasValue))
            throw new UsageException(
                $"'{word}' in {side} is not understood; a side is {Forms}. Its options may be {string.Join(", ", Settable.Keys)}."
            );
        var value =
            parts.Length == 2 ? parts[1]
            : hasValue && following.TryDequeue(out var next) ? next
            : null;
        if (hasValue && value is null)
            throw new UsageException($"{parts[0]} in {side} has no value.");
        options[parts[0]] = value;
    }
}
