namespace Serdica.Perf.Databases.External;

/// <summary>A PostgreSQL of a flavour from a connection string.</summary>
internal sealed class ExternalPostgreSql(PostgreSqlFlavour flavour) : IDatabaseSource
{
    private const int TimeoutSeconds = 10;

    public DatabaseSourceKind Kind => DatabaseSourceKind.External;

    public ValueTask<bool> IsCandidateAsync(DatabaseRequest request, CancellationToken cancellationToken) =>
        new(request.ConnectionString is not null);

    public async Task<ProvisionOutcome> ProvisionAsync(DatabaseRequest request, ILogger logger, CancellationToken cancellationToken)
    {
        var (description, settings, problem) = await ConnectAsync(request, cancellationToken);

        if (description is null || settings is null)
            return new ProvisionOutcome.Unavailable(problem!);

        Log.UsingExternal(
            logger,
            description.Product,
            description.Version,
            settings.Host!,
            settings.Port,
            DatabaseOf(settings),
            description.Durability
        );
        return new ProvisionOutcome.Provisioned(
            new ExternalPostgreSqlServer(request.ConnectionString!, description, request.ExternalProcessId)
        );
    }

    public async Task<SourceFinding> InspectAsync(DatabaseRequest request, CancellationToken cancellationToken)
    {
        var (description, settings, problem) = await ConnectAsync(request, cancellationToken);

        return description is null || settings is null
            ? new SourceFinding(Kind, false, problem!)
            : new SourceFinding(
                Kind,
                true,
                $"{description.Product} {description.Version} at {Place(settings)}, durability {description.Durability}."
            );
    }

    private async Task<(ServerDescription? Description, NpgsqlConnectionStringBuilder? Settings, string? Problem)> ConnectAsync(
        DatabaseRequest request,
        CancellationToken cancellationToken
    )
    {
        if (request.ConnectionString is null)
            return (null, null, $"{flavour.Variable} is not set: set it to an Npgsql connection string to use a server of your own.");

        if (request.ServerSettings.Count > 0)
        {
            return (
                null,
                null,
                $"{flavour.Variable} names a server of your own, and {DatabaseEnvironment.SettingsVariable(flavour.Backend)} settings "
                    + $"for one that the suite starts: "
                    + "unset one of the two."
            );
        }

        if (Parse(request.ConnectionString) is not { } settings)
        {
            return (
                null,
                null,
                $"{flavour.Variable} is not an Npgsql connection string: set it to something like "
                    + "'Host=localhost;Port=5432;Database=perf;Username=...;Password=...'."
            );
        }

        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        deadline.CancelAfter(FromSeconds(TimeoutSeconds));

        try
        {
            // Pooling off: a probe leaves no connection behind.
            var probe = new NpgsqlConnectionStringBuilder(settings.ConnectionString) { Pooling = false, Timeout = TimeoutSeconds };
            await using var connection = new NpgsqlConnection(probe.ConnectionString);
            await connection.OpenAsync(deadline.Token);
            var (description, problem) = await flavour.ExamineAsync(
                connection,
                DatabaseSourceKind.External,
                fileSystem: null,
                deadline.Token
            );

            if (description is null)
                return (null, null, $"The server at {Place(settings)} {problem}.");

            if (request.ExternalProcessId is { } process && !await IsServedByAsync(connection, process, deadline.Token))
            {
                return (
                    null,
                    null,
                    $"{DatabaseEnvironment.ProcessVariable(flavour.Backend)} is {process}, and the server at {Place(settings)} is not "
                        + $"that process: "
                        + "set it to the first line of that server's postmaster.pid, or unset it."
                );
            }

            if (!request.AcceptsForeignData && await ForeignData.FindAsync(connection, deadline.Token) is { } found)
            {
                return (
                    null,
                    null,
                    $"The server at {Place(settings)} holds data that is neither the suite's nor its own ({found}), and a measurement "
                        + $"would put load on it: "
                        + $"point {flavour.Variable} at another server, or set "
                        + $"{DatabaseEnvironment.ForeignDataVariable(flavour.Backend)}={DatabaseEnvironment.ForeignDataAccepted} "
                        + "to measure this one anyway."
                );
            }

            return (description, settings, null);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return (null, null, Unreachable(settings, $"no answer within {TimeoutSeconds} s"));
        }
        catch (Exception e) when (e is NpgsqlException or SocketException or IOException or ArgumentException or NotSupportedException)
        {
            return (null, null, Unreachable(settings, Cause(e)));
        }
    }

    /// <summary>Asks the server for the session's process: what a pooler says of it in the protocol is made up.</summary>
    private static async Task<bool> IsServedByAsync(NpgsqlConnection connection, int processId, CancellationToken cancellationToken)
    {
        await using var command = new NpgsqlCommand("select pg_backend_pid()", connection);
        var session = (int)(await command.ExecuteScalarAsync(cancellationToken))!;
        return ServerSession.IsChildOf(processId, session) ?? true;
    }

    private static NpgsqlConnectionStringBuilder? Parse(string connectionString)
    {
        try
        {
            var settings = new NpgsqlConnectionStringBuilder(connectionString);
            return string.IsNullOrWhiteSpace(settings.Host) ? null : settings;
        }
        catch (Exception e) when (e is ArgumentException or FormatException or InvalidCastException or KeyNotFoundException)
        {
            // The message of the exception quotes the value, password and all.
            return null;
        }
    }

    private string Unreachable(NpgsqlConnectionStringBuilder settings, string cause) =>
        $"{flavour.Product} at {Place(settings)} could not be used ({cause}): start that server, or correct or unset {flavour.Variable}.";

    /// <summary>Names the cause by code only: the server's messages quote the user.</summary>
    private string Cause(Exception exception) =>
        exception switch
        {
            PostgresException { SqlState: PostgresErrorCodes.InvalidPassword or PostgresErrorCodes.InvalidAuthorizationSpecification } =>
                "the login was refused",
            PostgresException { SqlState: PostgresErrorCodes.InvalidCatalogName } => "that database does not exist",
            PostgresException { SqlState: PostgresErrorCodes.InsufficientPrivilege } when flavour.Role is not null =>
                $"the user lacks the role {flavour.Role}",
            PostgresException postgres => $"SQLSTATE {postgres.SqlState}",
            { InnerException: SocketException socket } => SocketCause(socket),
            SocketException socket => SocketCause(socket),
            { InnerException: TimeoutException } => "no answer in time",
            _ => exception.GetType().Name,
        };

    private static string SocketCause(SocketException exception) =>
        exception.SocketErrorCode switch
        {
            SocketError.ConnectionRefused => "the connection was refused",
            SocketError.HostNotFound or SocketError.TryAgain or SocketError.NoData => "the host name is unknown",
            var code => $"socket error {code}",
        };

    private static string Place(NpgsqlConnectionStringBuilder settings) => $"{settings.Host}:{settings.Port}/{DatabaseOf(settings)}";

    // Npgsql takes the user's name as the database when none is given, and user names stay out of messages.
    private static string DatabaseOf(NpgsqlConnectionStringBuilder settings) => settings.Database ?? "(default database)";
}

/// <summary>A server that somebody else runs: disposing it touches nothing.</summary>
internal sealed class ExternalPostgreSqlServer(string connectionString, ServerDescription description, int? processId) : DatabaseServer
{
    public override string ConnectionString => connectionString;

    public override ServerDescription Description => description;

    public override int? ProcessId => processId;

    public override ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
