namespace Serdica.Perf.Cli.Options;

/// <summary>`--engine`, the same for all commands that run workflows or the bare queue.</summary>
internal static class EngineOption
{
    public static Option<string[]> Declare(Command command) =>
        command.Names(
            "--engine",
            "NAME=VALUE",
            "Settings of the engine, comma-separated or repeated: "
                + $"{string.Join(", ", EngineSettings.All.Select(setting => setting.Name))}."
        );

    /// <exception cref="LoadProfileException">A setting is unknown, or its value is invalid.</exception>
    public static IReadOnlyDictionary<string, string> Read(ParseResult parsed, Option<string[]> option) =>
        EngineSettings.Parse(OptionDeclarations.Split(parsed.GetValue(option)));
}

/// <summary>`--backend` of commands that measure one.</summary>
internal static class BackendOption
{
    public static Option<string?> Declare(Command command)
    {
        var option = command.Text("--backend", "NAME", $"One of {string.Join(", ", BackendNames.All)}. Default {BackendNames.PostgreSql}.");
        option.CompletionSources.Add([.. BackendNames.All]);
        return option;
    }

    /// <exception cref="UsageException">The backend is not known.</exception>
    public static string Read(ParseResult parsed, Option<string?> option)
    {
        var backend = parsed.GetValue(option) ?? BackendNames.PostgreSql;
        ScenarioNames.CheckBackend(backend);
        return backend;
    }
}
