namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>The settings of the engine that are parameters of a run: all that shift cost from one component to another.</summary>
public static class EngineSettings
{
    /// <summary>See <see cref="WorkflowOptions.MaxActivities"/>.</summary>
    internal const string MaxActivities = "max-activities";

    private const int MaxNumber = 1_000_000;

    /// <summary>The settings in the order of a report.</summary>
    internal static IReadOnlyList<EngineSetting> All { get; } =
    [
        Number(
            "claim-batch",
            "signals that a worker claims at once",
            "Fewer commits in the database; the first signal of a batch waits for the last, and the engine needs more memory.",
            options => options.ClaimBatch,
            (options, value) => options with { ClaimBatch = value }
        ),
        Time(
            "linger",
            "pause of a worker that has found several signals, before its next poll",
            "Fewer commits and claims in the database; every signal waits longer for the engine.",
            TimeSpan.Zero,
            options => options.Linger,
            (options, value) => options with { Linger = value }
        ),
        Number(
            "submit-batch",
            "starts and signals in one commit",
            "Fewer commits in the database under load; callers wait for larger commits.",
            options => options.SubmitBatch,
            (options, value) => options with { SubmitBatch = value }
        ),
        Number(
            "submit-concurrency",
            "commits of starts and signals in progress at the same time, when 64 or more wait",
            "Callers wait less for the commit before theirs; the database has more and smaller commits, and a connection for each.",
            options => options.SubmitConcurrency,
            (options, value) => options with { SubmitConcurrency = value }
        ),
        Number(
            "max-pending",
            "starts and signals that may wait for their commit",
            "Callers are blocked later; the engine needs more memory, and response times grow further before callers are blocked.",
            options => options.MaxPendingSubmissions,
            (options, value) => options with { MaxPendingSubmissions = value }
        ),
        Time(
            "max-poll",
            "longest pause of an idle worker",
            "Fewer polls of an idle database; work that no hint announces waits longer.",
            FromMilliseconds(10),
            options => options.MaxPollInterval,
            (options, value) => options with { MaxPollInterval = value }
        ),
        Number(
            MaxActivities,
            "activities that a host runs at the same time",
            "Fewer activities are stored and claimed; other hosts get fewer of them, and a host needs more memory.",
            options => options.MaxActivities,
            (options, value) => options with { MaxActivities = value }
        ),
        Switch(
            ScenarioParameters.DirectSetting,
            "signals are decided in the commit that would otherwise store them",
            "One commit less for each signal and no row for it; callers wait for the handlers of their batch.",
            options => options.DirectSignals,
            (options, value) => options with { DirectSignals = value }
        ),
    ];

    /// <summary>Settings by name, from <c>name=value</c>.</summary>
    /// <exception cref="LoadProfileException">A setting is unknown, or its value is invalid.</exception>
    internal static IReadOnlyDictionary<string, string> Parse(IEnumerable<string> texts)
    {
        var settings = new Dictionary<string, string?>();
        foreach (var text in texts)
        {
            var parts = text.Split('=', 2, TrimEntries);
            if (!settings.TryAdd(parts[0], parts.ElementAtOrDefault(1)))
                throw new LoadProfileException($"The engine's setting {parts[0]} is given twice; give it once.");
        }

        return Checked(settings, "");
    }

    /// <summary>The settings, each with its value in the form of <see cref="EngineSetting.Read"/>.</summary>
    /// <param name="settings">Settings by name; null for a name without a value.</param>
    /// <param name="place">The place of the settings, for messages, with a colon and a blank; empty for the command line.</param>
    /// <exception cref="LoadProfileException">A setting is unknown, or its value is invalid.</exception>
    internal static IReadOnlyDictionary<string, string> Checked(IReadOnlyDictionary<string, string?> settings, string place)
    {
        return settings.ToDictionary(
            pair => pair.Key,
            pair =>
            {
                var setting = Find(pair.Key, place);
                var value = pair.Value
                    ?? throw new LoadProfileException(
                        $"{place}The engine's setting {setting.Name} has no value; it must be {setting.Form}."
                    );
                return setting.Write(new(), value) is { } options
                    ? setting.Read(options)
                    : throw new LoadProfileException(
                        $"{place}The engine's setting {setting.Name} is '{value}'; it must be {setting.Form}."
                    );
            }
        );
    }

    /// <summary>
    /// The settings of a measurement with the way that its signals took: the same work costs less where signals are decided
    /// directly, so results name the way even where nobody has set it.
    /// </summary>
    /// <param name="settings">Those that were set.</param>
    /// <param name="isDirect">Null where the backend has one way only.</param>
    /// <param name="isOneByOne">See <see cref="BackendCapabilities.OneByOne"/>.</param>
    internal static IReadOnlyDictionary<string, string> WithWay(
        IReadOnlyDictionary<string, string> settings,
        bool? isDirect,
        bool isOneByOne = false
    )
    {
        var way = new Dictionary<string, string>();
        if (isDirect is { } direct)
            way[ScenarioParameters.DirectSetting] = Word(direct);
        if (isOneByOne)
            way[ScenarioParameters.OneByOneSetting] = Word(true);
        return way.Count > 0 ? Merged(settings, way) : settings;
    }

    /// <param name="settings">Settings by name.</param>
    /// <param name="over">Settings that override them.</param>
    internal static IReadOnlyDictionary<string, string> Merged(
        IReadOnlyDictionary<string, string> settings,
        IReadOnlyDictionary<string, string> over
    ) => over.Concat(settings).DistinctBy(pair => pair.Key).ToDictionary();

    /// <summary>The engine's options of a workload with these parameters.</summary>
    public static WorkflowOptions Options(ScenarioParameters parameters)
    {
        ArgumentNullException.ThrowIfNull(parameters);
        return Options(parameters.Workers, parameters.Engine);
    }

    /// <param name="workers">The number of signal workers, or of readers of a queue.</param>
    /// <param name="settings">Checked settings by name; the others have their defaults.</param>
    internal static WorkflowOptions Options(int workers, IReadOnlyDictionary<string, string> settings) =>
        Options(new WorkflowOptions { Workers = workers }, settings);

    /// <param name="standard">What holds where no setting is given.</param>
    /// <param name="settings">Checked settings by name.</param>
    internal static WorkflowOptions Options(WorkflowOptions standard, IReadOnlyDictionary<string, string> settings) =>
        settings.Aggregate(standard, (options, pair) => Find(pair.Key, "").Write(options, pair.Value)!);

    /// <summary>
    /// The settings with their values in these options, for the report of a load or a queue. Not among them are the activities: a
    /// load has its slots, which its report names, and a queue has none.
    /// </summary>
    internal static IReadOnlyList<EngineSettingValue> Values(WorkflowOptions options)
    {
        var standard = new WorkflowOptions();
        return
        [
            .. All.Where(setting => setting.Name != MaxActivities)
                .Select(setting => new EngineSettingValue(
                    setting.Name,
                    setting.Read(options),
                    setting.Read(standard),
                    setting.Meaning,
                    setting.More
                )),
        ];
    }

    private static EngineSetting Find(string name, string place) =>
        All.FirstOrDefault(setting => setting.Name == name)
        ?? throw new LoadProfileException(
            $"{place}The engine has no setting '{name}' that a run may change; the settings are "
                + $"{string.Join(", ", All.Select(setting => setting.Name))}."
        );

    private static EngineSetting Number(
        string name,
        string meaning,
        string more,
        Func<WorkflowOptions, int> read,
        Func<WorkflowOptions, int, WorkflowOptions> write
    ) =>
        new(
            name,
            meaning,
            more,
            $"a whole number from 1 to {MaxNumber.ToString("N0", CultureInfo.InvariantCulture)}",
            options => read(options).ToString(CultureInfo.InvariantCulture),
            (options, text) =>
                int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var value) && value is >= 1 and <= MaxNumber
                    ? write(options, value)
                    : null
        );

    private static EngineSetting Switch(
        string name,
        string meaning,
        string more,
        Func<WorkflowOptions, bool> read,
        Func<WorkflowOptions, bool, WorkflowOptions> write
    ) =>
        new(
            name,
            meaning,
            more,
            $"{Word(true)} or {Word(false)}",
            options => Word(read(options)),
            (options, text) =>
                text == Word(true) ? write(options, true)
                : text == Word(false) ? write(options, false)
                : null
        );

    private static string Word(bool isOn) => isOn ? "on" : "off";

    private static EngineSetting Time(
        string name,
        string meaning,
        string more,
        TimeSpan least,
        Func<WorkflowOptions, TimeSpan> read,
        Func<WorkflowOptions, TimeSpan, WorkflowOptions> write
    ) =>
        new(
            name,
            meaning,
            more,
            $"a number followed by ms, s, m or h, {(least > TimeSpan.Zero ? $"{least.TotalMilliseconds}ms at least, " : "")}for "
                + $"instance 20ms",
            options => Invariant($"{read(options).TotalMilliseconds:0.###}ms"),
            (options, text) => Quantity.Duration(text) is { } value && value >= least ? write(options, value) : null
        );
}

/// <summary>A setting of the engine that a run may change.</summary>
/// <param name="Name">The name under which it is set, for instance <c>claim-batch</c>.</param>
/// <param name="Meaning">What it is, in a few words.</param>
/// <param name="More">What a higher value costs one component and gives to another.</param>
/// <param name="Form">The form of a value.</param>
/// <param name="Read">Formats the value.</param>
/// <param name="Write">Sets the value; null when the text is invalid.</param>
internal sealed record EngineSetting(
    string Name,
    string Meaning,
    string More,
    string Form,
    Func<WorkflowOptions, string> Read,
    Func<WorkflowOptions, string, WorkflowOptions?> Write
);
