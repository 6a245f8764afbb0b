using Serdica.Perf.Analysis.Warnings;
using Serdica.Perf.Databases.Sources;
using Serdica.Perf.Workflows.Oracle;
using static Serdica.Perf.Cli.Commands.DoctorTable;

namespace Serdica.Perf.Cli.Commands;

/// <summary>`doctor`: what can be measured here, and what to do about the rest.</summary>
internal sealed class DoctorCommand
{
    private const string Examples = """
        Examples:
          serdica-perf doctor
            The machine, every backend and every optional package.
          serdica-perf doctor --backend documentdb
            Checks one backend only. On Oracle it also tries grants, queues and one
            message, in a container when no server is named.
          serdica-perf doctor --store orders
            Open instances by definition and version, and those that no host can
            continue, in the schema 'orders' on the server that
            SERDICA_WORKFLOW_POSTGRESQL names.

        Exit codes:
          0  the named backend, or PostgreSQL when none is named, can be measured;
             with --store: the output has what the store holds
          1  it cannot be measured, or the store cannot be reached; the output
             says what to do
          2  a name or value is unknown or invalid
          4  with --store: no server is named, or the backend is not available
        """;

    private readonly Option<string?> _backend = new("--backend")
    {
        HelpName = "NAME",
        Description =
            $"Checks one backend only: {string.Join(", ", BackendNames.All)}. "
            + $"On Oracle it creates a store, uses it once and drops it.",
    };

    private readonly Option<string?> _store = new("--store")
    {
        HelpName = "NAME",
        Description =
            "Reports on an application's store instead: open instances by definition and version, and those that are parked. "
            + $"{StoreSession.StoreHelp} {StoreSession.BackendHelp}",
    };

    private readonly TextWriter _output;
    private readonly TextWriter _error;
    private readonly DatabaseEnvironment _environment;
    private readonly StoreSession _stores;

    public DoctorCommand(TextWriter output, TextWriter error, DatabaseEnvironment environment)
    {
        (_output, _error) = (output, error);
        _environment = environment;
        _stores = new StoreSession(error, environment);
        Command = new DocumentedCommand(
            "doctor",
            "Checks what can be measured on this machine, and reports how to enable the rest.",
            Examples
        )
        {
            _backend,
            _store,
        };
        Command.SetAction(
            (parsed, cancellationToken) =>
            {
                if (parsed.GetValue(_store) is null && parsed.GetValue(_backend) is { } named)
                    ScenarioNames.CheckBackend(named);
                return parsed.GetValue(_backend) switch
                {
                    var backend when parsed.GetValue(_store) is { } store => _stores.RunAsync(
                        backend,
                        store,
                        "instances",
                        (opened, token) => DoctorStore.WriteAsync(Consoles.For(_output), store, opened, token),
                        cancellationToken
                    ),
                    null => RunAsync(cancellationToken),
                    BackendNames.OracleAq or BackendNames.OracleAqReference => InspectOracleAsync(
                        parsed.GetValue(_backend)!,
                        cancellationToken
                    ),
                    var backend => InspectAsync(backend, cancellationToken),
                };
            }
        );
    }

    public Command Command { get; }

    private async Task<int> RunAsync(CancellationToken cancellationToken)
    {
        // The answers come first and the evidence below them, so everything is found out before anything is printed. Servers that are
        // started meanwhile are announced beside the output.
        using var log = RunLog.ToConsole(_error, _error);
        var console = Consoles.For(_output);
        var evidence = new List<Table>();
        var answers = new List<(string Backend, string? Problem)>();
        foreach (var backend in BackendNames.All)
            answers.Add((backend, await FindAsync(evidence.Add, backend, log.Loggers, cancellationToken)));

        WriteAnswers(answers);
        await WriteMachineAsync(console, cancellationToken);
        foreach (var table in evidence)
            console.Write(table);
        WriteOptionalPackages(console);
        return Conclude("PostgreSQL", "quick", answers.Single(answer => answer.Backend == BackendNames.PostgreSql).Problem is null);
    }

    private async Task<int> InspectAsync(string backend, CancellationToken cancellationToken)
    {
        using var log = RunLog.ToConsole(_error, _error);
        return Conclude(
            backend,
            $"quick --backend {backend}",
            await FindAsync(Consoles.For(_output).Write, backend, log.Loggers, cancellationToken) is null
        );
    }

    /// <summary>One line for each backend: yes with the command to type next, or no with what is missing.</summary>
    private void WriteAnswers(IReadOnlyList<(string Backend, string? Problem)> answers)
    {
        var width = BackendNames.All.Max(backend => backend.Length);
        _output.WriteLine("Can it be measured here?");
        foreach (var (backend, problem) in answers)
        {
            var answer = problem is null ? $"yes: serdica-perf quick --backend {backend}" : $"no: {problem.ReplaceLineEndings(" ")}";
            _output.WriteLine($"  {backend.PadRight(width)}  {answer}");
        }
    }

    private int Conclude(string backend, string command, bool available)
    {
        _output.WriteLine(
            available
                ? $"{backend} can be measured: serdica-perf {command}"
                : $"{backend} cannot be measured here; the lines above say what to do."
        );
        return available ? ExitCodes.Success : ExitCodes.Failed;
    }

    /// <returns>Why it cannot be measured; null when it can.</returns>
    private Task<string?> FindAsync(Action<Table> write, string backend, ILoggerFactory loggers, CancellationToken cancellationToken) =>
        backend switch
        {
            BackendNames.InMemory => Task.FromResult(FindInMemory(write)),
            _ when BackendNames.OnPostgreSqlServers.Contains(backend) => FindDatabaseAsync(write, backend, loggers, cancellationToken),
            _ => FindForeignAsync(write, backend, loggers, cancellationToken),
        };

    private async Task<int> InspectOracleAsync(string backend, CancellationToken cancellationToken)
    {
        var findings = await FindOracleAsync(backend, cancellationToken);
        var table = Section(backend);
        foreach (var finding in findings)
            Row(table, finding.Check, finding.Detail);
        Consoles.For(_output).Write(table);
        return Conclude("Oracle AQ", $"quick --backend {backend}", !findings.Any(finding => finding.Problem));
    }

    private async Task<IReadOnlyList<OracleFinding>> FindOracleAsync(string backend, CancellationToken cancellationToken)
    {
        using var log = RunLog.ToConsole(_error, _error);
        if (new BackendCatalog(log.Loggers, _environment).OracleRequest(out var problem) is not { } request)
            return [new OracleFinding("Variable", true, problem!)];
        if (!OracleDriver.TryFind(out var factory))
            return [new OracleFinding("Driver", true, OracleDriver.Missing)];

        // Nothing is measured, so a server with other data may be looked at too.
        try
        {
            var (server, reason) = await MeasuredOracle.FindAsync(
                request with
                {
                    AcceptsForeignData = true,
                },
                log.Loggers.CreateLogger(nameof(DoctorCommand)),
                cancellationToken
            );
            if (server is null)
                return [new OracleFinding("Server", true, reason!)];
            await using (server)
            {
                return await OracleInspection.InspectAsync(
                    MeasuredOracle.Options(backend, server.ConnectionString, factory),
                    cancellationToken
                );
            }
        }
        catch (DatabaseStartException e)
        {
            return [new OracleFinding("Server", true, $"it does not start: {e.Message}")];
        }
    }

    private static async Task WriteMachineAsync(IAnsiConsole console, CancellationToken cancellationToken)
    {
        var environment = await EnvironmentReader.ReadAsync(EnvironmentOptions.FromVariables(), cancellationToken);
        var machine = environment.Machine;
        var table = Section("Machine");
        Row(table, "Name in reports", machine.MachineName);
        Row(table, "Processor", $"{machine.CpuModel ?? "unknown"}, {machine.LogicalCores} logical cores");
        Row(table, "Memory", DoctorText.Bytes(machine.MemoryBytes));
        Row(table, "Limits", DoctorText.Limits(machine));
        Row(table, "System", $"{machine.OperatingSystem}, kernel {machine.Kernel}, .NET {environment.Runtime.DotNetVersion}");
        Row(table, "Load average", DoctorText.Number(environment.LoadAverageAtStart));
        foreach (var warning in WarningAnalysis.Of(environment, [], []))
            Row(table, "Warning", warning.Sentence);
        console.Write(table);
    }

    /// <returns>Why no server is available; null when one is.</returns>
    private async Task<string?> FindDatabaseAsync(
        Action<Table> write,
        string backend,
        ILoggerFactory loggers,
        CancellationToken cancellationToken
    )
    {
        var table = Section(backend);
        if (!_environment.TryReadRequest(backend, out var request, out var problem))
        {
            Row(table, "What to do", problem);
            write(table);
            return problem;
        }

        foreach (var finding in await DatabaseSources.Of(backend).InspectAsync(request, cancellationToken))
            Row(
                table,
                $"Source {finding.Source.ToString().ToLowerInvariant()}",
                $"{(finding.IsAvailable ? "found" : "none")}: {finding.Detail}"
            );
        var logger = loggers.CreateLogger(nameof(DoctorCommand));
        var missing = await TryAsync(backend, request, table, logger, cancellationToken);
        write(table);
        return missing;
    }

    /// <summary>Starts a server or connects to one, and writes its description.</summary>
    /// <returns>Why there is none.</returns>
    private static async Task<string?> TryAsync(
        string backend,
        DatabaseRequest request,
        Table table,
        ILogger logger,
        CancellationToken cancellationToken
    )
    {
        try
        {
            switch (await DatabaseSources.Of(backend).ProvisionAsync(request, logger, cancellationToken))
            {
                case ProvisionOutcome.Provisioned { Server: var server }:
                    await using (server)
                        await WriteServerAsync(table, server, cancellationToken);
                    return null;
                case ProvisionOutcome.Unavailable { Reason: var reason }:
                    Row(table, "What to do", reason);
                    return reason;
                case var other:
                    throw new InvalidOperationException($"Unknown outcome {other}.");
            }
        }
        catch (Exception e) when (e is DatabaseStartException or IOException or UnauthorizedAccessException)
        {
            Row(table, "Does not start", e.Message);
            return e.Message;
        }
    }

    /// <summary>A backend with an external server, or one in a container.</summary>
    /// <returns>Why no server is available; null when one is.</returns>
    private async Task<string?> FindForeignAsync(
        Action<Table> write,
        string backend,
        ILoggerFactory loggers,
        CancellationToken cancellationToken
    )
    {
        var table = Section(backend);
        string? missing = null;
        try
        {
            switch (await new BackendCatalog(loggers, _environment).Source(backend).ProvisionAsync(cancellationToken))
            {
                case BackendProvision.Provided { Backend: var provided }:
                    await using (provided)
                    {
                        var database = provided.Description;
                        Row(table, "Server", $"{database.Product} {database.Version}, from source {database.Source}");
                        Row(table, "Durability", DurabilityWords.Of(database.Durability));
                        Row(table, "Settings", string.Join(", ", database.Settings.Select(setting => $"{setting.Key}={setting.Value}")));
                    }

                    break;
                case BackendProvision.Unavailable { Reason: var reason }:
                    Row(table, "What to do", missing = reason);
                    break;
            }
        }
        catch (DatabaseStartException e)
        {
            Row(table, "Does not start", missing = e.Message);
        }

        write(table);
        return missing;
    }

    private static async Task WriteServerAsync(Table table, DatabaseServer server, CancellationToken cancellationToken)
    {
        var database = server.Description;
        Row(table, "Server", $"{database.Product} {database.Version}, from source {database.Source.ToString().ToLowerInvariant()}");
        Row(table, "Durability", DoctorText.Durability(database.Durability));
        Row(
            table,
            "Durability settings",
            string.Join(", ", database.DurabilitySettings.Concat(database.Settings).Select(setting => $"{setting.Key}={setting.Value}"))
        );
        Row(table, "Data on", database.FileSystem ?? "an unknown file system");
        if (database.Container is { } container)
            Row(table, "Container", $"{container.Image}, on {container.Engine}");
        var flushes = await ServerFigures.ProbeFsyncAsync(server, cancellationToken)
            ?? (server.DataFolder is { } folder ? FsyncProbe.Run(folder, FsyncProbe.DefaultDuration / 2, cancellationToken) : null);
        Row(
            table,
            "Flushed write",
            flushes is not null ? DoctorText.Fsync(flushes) : "unknown: the server's volume is not on this machine."
        );
    }

    private static string? FindInMemory(Action<Table> write)
    {
        var table = Section(BackendNames.InMemory);
        Row(table, "Source", "in this process, always available");
        Row(table, "Durability", DoctorText.Durability(DurabilityClass.NotDurable) + ": it shows the overhead of engine and harness");
        write(table);
        return null;
    }

    private static void WriteOptionalPackages(IAnsiConsole console)
    {
        var table = Section("Optional packages");
        foreach (var package in OptionalPackage.All)
            Row(
                table,
                package.Name,
                package.IsCompiledIn
                    ? "compiled in"
                    : $"off: {package.Cost} To turn it on, make the package available on your feed and run 'dotnet run eng/setup.cs'."
            );
        console.Write(table);
    }
}
