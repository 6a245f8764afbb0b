namespace Serdica.Perf.Cli.Ab;

/// <summary>A server of one side of `ab`. Its connection string is in an environment variable, so that no secret is typed.</summary>
internal sealed partial record NamedSide(string Name)
{
    /// <summary>The variable with its connection string, for instance <c>SERDICA_PERF_SERVER_NEW</c>.</summary>
    public string Variable => $"SERDICA_PERF_SERVER_{Name.ToUpperInvariant().Replace('-', '_')}";

    /// <summary>The variable with its process id when it runs on this machine.</summary>
    private string ProcessVariable => $"{Variable}_PROCESS";

    /// <exception cref="UsageException">It cannot be part of a variable's name.</exception>
    public static NamedSide Parse(string side, string name) =>
        PartOfVariable().IsMatch(name)
            ? new(name)
            : throw new UsageException($"server:{name} in {side} is not a name; use letters, digits and hyphens, for instance server:new.");

    /// <summary>What a process that measures this server gets in its environment. Holds its password.</summary>
    /// <exception cref="UsageException">The server is not named, or the backend has none.</exception>
    public IReadOnlyDictionary<string, string> Environment(string backend, Func<string, string?> variable)
    {
        if (backend == BackendNames.InMemory)
            throw new UsageException($"server:{Name} is a server, but the backend {backend} has none; name another one with --backend.");
        var known = BackendNames.InVariables(backend);
        return variable(Variable) is { Length: > 0 } connection
            ? new Dictionary<string, string>
            {
                [DatabaseEnvironment.ConnectionStringVariable(known)] = connection,
                [DatabaseEnvironment.SourceVariable(known)] = nameof(DatabaseSourceKind.External).ToLowerInvariant(),
                [DatabaseEnvironment.ProcessVariable(known)] = variable(ProcessVariable) ?? "",
                [DatabaseEnvironment.SettingsVariable(known)] = "",
            }
            : throw new UsageException($"server:{Name} is not known; set {Variable} to the connection string of the server.");
    }

    [GeneratedRegex(@"^[A-Za-z][A-Za-z0-9-]*\z")]
    private static partial Regex PartOfVariable();
}
