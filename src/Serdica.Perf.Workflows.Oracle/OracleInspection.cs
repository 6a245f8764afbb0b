namespace Serdica.Perf.Workflows.Oracle;

/// <summary>
/// Looks at a server before the first run on it: log-in, container, character set, time zone, grants, parameters, redo logs,
/// views, and at last a store of its own that is made, used once and dropped.
/// </summary>
internal sealed class OracleInspection
{
    private const string Grants =
        "As SYS, inside the pluggable database: GRANT CREATE TABLE, CREATE PROCEDURE TO <user>, GRANT EXECUTE ON sys.dbms_aq TO <user>, "
        + "GRANT EXECUTE ON sys.dbms_aqadm TO <user>, and quota on the user's tablespace. Roles do not count in stored code: the two "
        + "EXECUTE grants must be direct.";

    private readonly OracleBackendOptions _options;
    private readonly List<OracleFinding> _findings = [];

    private OracleInspection(OracleBackendOptions options) => _options = options;

    /// <summary>Everything that can be found out, in the order in which it matters; it stops at what makes the rest pointless.</summary>
    /// <param name="options">The server; the prefix is not used, so that no store is touched.</param>
    public static async Task<IReadOnlyList<OracleFinding>> InspectAsync(OracleBackendOptions options, CancellationToken cancellationToken)
    {
        if (options.Factory is null && !OracleDriver.TryFind(out _))
            return [new OracleFinding("Driver", true, OracleDriver.Missing)];

        var store = options with { Prefix = $"SWF_{Guid.NewGuid():N}"[..20].ToUpperInvariant() };
        var inspection = new OracleInspection(store);
        if (await inspection.LookAsync(cancellationToken).ConfigureAwait(false))
            await inspection.TryStoreAsync(cancellationToken).ConfigureAwait(false);
        return inspection._findings;
    }

    /// <returns>Whether the server could be logged in to.</returns>
    private async Task<bool> LookAsync(CancellationToken cancellationToken)
    {
        var check = "Log-in";
        try
        {
            _options.Validate();
            var connections = new OracleConnections(_options, new OracleScripts(_options.Prefix));
            var session = await connections.OpenAsync(cancellationToken).ConfigureAwait(false);
            check = "Inspection";
            await using (session.ConfigureAwait(false))
                await LookAsync(session, connections.MaxPoolSize, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            Add(check, true, OracleErrors.IsDriverError(e) ? Unreachable(e) : e.Message);
        }

        return false;
    }

    private async Task LookAsync(OracleSession session, int poolSize, CancellationToken cancellationToken)
    {
        var parameters = await OracleParameters.ReadAsync(session, cancellationToken).ConfigureAwait(false);
        Add("Server", false, parameters.Version ?? "unknown: this user cannot read V$VERSION.");

        var container = await AskAsync(session, "inspect-container", cancellationToken).ConfigureAwait(false);
        var isRoot = string.Equals(container, "CDB$ROOT", OrdinalIgnoreCase);
        Add(
            "Container",
            isRoot,
            isRoot
                ? "the root: name the service of a pluggable database in the connection string, for instance FREEPDB1."
                : container ?? "unknown."
        );

        Add(
            "Character set",
            false,
            $"{await AskAsync(session, "inspect-character-set", cancellationToken).ConfigureAwait(false) ?? "unknown"}; any "
                + $"will do, the backend stores bytes."
        );

        var zone = await AskAsync(session, "inspect-time-zone", cancellationToken).ConfigureAwait(false);
        Add(
            "Time zone",
            false,
            zone is "+00:00" or null
                ? zone ?? "unknown."
                : $"{zone}: due times are in UTC all the same, but AQ's delays run on the server's clock; keep the server on UTC."
        );

        foreach (var package in new[] { "DBMS_AQ", "DBMS_AQADM" })
        {
            var seen = await AskAsync(session, OracleStatement.InspectPackage, [package], cancellationToken).ConfigureAwait(false);
            Add(package, seen == "0", seen == "0" ? $"not granted. {Grants}" : "granted, by itself or by a role.");
        }

        var statistics = await OracleStatistics.ReadAsync(session, SnapshotDepth.Sample, cancellationToken).ConfigureAwait(false);
        _findings.AddRange(parameters.Judge(poolSize, statistics.Values["processes"].Value));
        _findings.Add(OracleRedoLogs.Judge(await OracleRedoLogs.ReadAsync(session, cancellationToken).ConfigureAwait(false)));
        var byContainer = await OracleStatistics.IsByContainerAsync(session, cancellationToken).ConfigureAwait(false);
        Add(
            "Statistics",
            false,
            byContainer
                ? "V$CON_SYSSTAT can be read: counters are of this container."
                : "V$CON_SYSSTAT cannot be read: counters are of the whole instance, or missing. GRANT SELECT_CATALOG_ROLE TO <user>."
        );

        // The part of a full snapshot that needs no store.
        var figures = new Dictionary<string, Statistic>(statistics.Values);
        await OracleQueueFigures.AddAsync(session, figures, cancellationToken).ConfigureAwait(false);
        var (_, statementsMissing) = await OracleTopStatements.ReadAsync(session, cancellationToken).ConfigureAwait(false);
        string[] missing =
        [
            .. figures
                .Values.Select(figure => figure.Missing)
                .Append(statistics.WaitsMissing)
                .Append(statementsMissing)
                .OfType<string>()
                .Distinct(),
        ];
        Add(
            "Views",
            false,
            missing.Length == 0
                ? "all that statistics need can be read: counters, times, waits, sessions, processes, queues, statements."
                : $"runs will lack figures. {string.Join(' ', missing)}"
        );
    }

    /// <summary>Tables, queues and package with a prefix of their own; one message and one signal; then all is dropped.</summary>
    private async Task TryStoreAsync(CancellationToken cancellationToken)
    {
        var backend = new OracleWorkflowBackend(_options);
        await using (backend.ConfigureAwait(false))
        {
            try
            {
                await backend.InitializeAsync(cancellationToken).ConfigureAwait(false);
                Add("Set-up", false, "tables, queues and package were made; the package compiles.");
                await TryQueueAsync(backend, cancellationToken).ConfigureAwait(false);
                await TrySignalAsync(backend, cancellationToken).ConfigureAwait(false);
            }
            catch (Exception e) when (e is not OperationCanceledException)
            {
                Add("Set-up and use", true, OracleErrors.IsMissingGrant(e) ? $"{e.Message} {Grants}" : e.Message);
            }
            finally
            {
                await DropAsync(backend).ConfigureAwait(false);
            }
        }
    }

    private async Task TryQueueAsync(OracleWorkflowBackend backend, CancellationToken cancellationToken)
    {
        var sent = new Message { Id = SortableId.Next(DateTimeOffset.UtcNow), Payload = [0, 255] };
        Message? received = null;
        await backend.SendAsync([sent], cancellationToken).ConfigureAwait(false);
        await backend.ReceiveAsync(1, messages => received = messages.Messages[0], cancellationToken).ConfigureAwait(false);
        var isRight = received is not null && received.Id == sent.Id && received.Payload.AsSpan().SequenceEqual(sent.Payload);
        Add("Message", !isRight, isRight ? "one was enqueued and dequeued." : "what was enqueued did not come back.");
    }

    private async Task TrySignalAsync(OracleWorkflowBackend backend, CancellationToken cancellationToken)
    {
        var instance = new InstanceRecord
        {
            Id = SortableId.Next(DateTimeOffset.UtcNow),
            Definition = "doctor",
            DefinitionVersion = 1,
            Status = InstanceStatus.Waiting,
            Waits = WaitKinds.External,
            Step = "only",
            Version = 0,
            State = "{}"u8.ToArray(),
        };
        var signal = new Signal
        {
            Id = SortableId.Next(DateTimeOffset.UtcNow),
            InstanceId = instance.Id,
            Kind = SignalKind.External,
            Name = "go",
        };
        await backend
            .SubmitAsync([new StartSubmission(new Decision { Instance = instance }), new SignalSubmission(signal)], cancellationToken)
            .ConfigureAwait(false);
        var outcome = await backend
            .ProcessAsync(
                new ClaimRequest(1),
                batch =>
                    Task.FromResult<IReadOnlyList<Decision>>([
                        new Decision { Instance = batch.Instances[0].Instance with { Version = 1 }, ExpectedVersion = 0 },
                    ]),
                cancellationToken
            )
            .ConfigureAwait(false);
        var isRight = outcome.Signals == 1;
        Add(
            "Signal",
            !isRight,
            isRight
                ? "one was published, claimed by its message id and committed."
                : "what was published was not claimed: see 'Signals without a message' in docs/oracle-first-run.md."
        );
    }

    private async Task DropAsync(OracleWorkflowBackend backend)
    {
        try
        {
            await backend.DropSchemaAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            Add("Clean-up", true, $"objects named {_options.Prefix}... are left: {e.Message}");
        }
    }

    private static Task<string?> AskAsync(OracleSession session, string script, CancellationToken cancellationToken) =>
        AskAsync(session, OracleStatement.Plain(script), [], cancellationToken);

    /// <returns>The first column of the first row as text; null when there is none or the user may not ask.</returns>
    internal static async Task<string?> AskAsync(
        OracleSession session,
        OracleStatement statement,
        object?[] values,
        CancellationToken cancellationToken
    )
    {
        try
        {
            var rows = await session
                .QueryAsync(
                    statement,
                    values,
                    static reader => Convert.ToString(reader.GetValue(0), CultureInfo.InvariantCulture),
                    cancellationToken
                )
                .ConfigureAwait(false);
            return rows is [{ Length: > 0 } first, ..] ? first : null;
        }
        catch (DbException e) when (OracleErrors.KindOf(e) == OracleErrorKind.Permanent)
        {
            return null;
        }
    }

    internal static string Unreachable(Exception error) =>
        error switch
        {
            _ when OracleErrors.Has(error, OracleErrors.MayNotLogIn) =>
                "user and password are right, but the user may not log in (ORA-01045): as SYS, inside the pluggable database, GRANT "
                    + "CREATE SESSION TO <user>.",
            _ when OracleErrors.Has(error, OracleErrors.LoginDenied) =>
                "the log-in was refused (ORA-01017): correct user and password in SERDICA_PERF_ORACLE.",
            _ when OracleErrors.Has(error, OracleErrors.UnknownService) =>
                "the listener does not know the service (ORA-12514): name one that 'lsnrctl services' lists, or wait until the database "
                    + "is open.",
            _ => $"the server did not answer: {error.Message.Trim()} Check that it is running and that SERDICA_PERF_ORACLE is correct.",
        };

    private void Add(string check, bool problem, string detail) => _findings.Add(new OracleFinding(check, problem, detail));
}

/// <summary>What an inspection found out about one thing.</summary>
/// <param name="Problem">True when a run fails or means nothing because of it.</param>
/// <param name="Detail">What was found, and what to do about it. Free of secrets.</param>
internal sealed record OracleFinding(string Check, bool Problem, string Detail);
