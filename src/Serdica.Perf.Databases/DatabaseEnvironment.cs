using System.Diagnostics.CodeAnalysis;

namespace Serdica.Perf.Databases;

/// <summary>The one place that reads environment variables and turns them into options.</summary>
internal sealed class DatabaseEnvironment(Func<string, string?> variable)
{
    /// <summary>The back-end name of PostgreSQL, as scenarios and environment variables use it.</summary>
    public const string PostgreSql = "postgresql";

    /// <summary>The back-end name of MongoDB, as scenarios and environment variables use it.</summary>
    public const string MongoDb = "mongodb";

    /// <summary>The back-end name of DocumentDB, as scenarios and environment variables use it.</summary>
    public const string DocumentDb = "documentdb";

    /// <summary>The back-end name of Citus, as scenarios and environment variables use it.</summary>
    public const string Citus = "citus";

    /// <summary>
    /// Oracle in the names of environment variables; scenarios call the back-ends <c>oracle-aq</c> and <c>oracle-aq-reference</c>.
    /// </summary>
    public const string Oracle = "oracle";

    private const string RequireVariable = "SERDICA_PERF_REQUIRE";

    /// <summary>The back-ends as scenarios call them, and the browser of the report's tests.</summary>
    private static readonly string[] CanBeRequired =
    [
        PostgreSql,
        MongoDb,
        DocumentDb,
        Citus,
        "oracle-aq",
        "oracle-aq-reference",
        "in-memory",
        "chromium",
    ];

    private const string TemporaryFolderVariable = "SERDICA_PERF_TEMP";
    private const string CacheFolderVariable = "SERDICA_PERF_CACHE";

    // The container tools' own.
    private const string EngineVariable = "DOCKER_HOST";
    private const string EngineHostVariable = "TESTCONTAINERS_HOST_OVERRIDE";

    /// <summary>The variables of this process.</summary>
    public static DatabaseEnvironment Current { get; } = new(Environment.GetEnvironmentVariable);

    /// <summary>Name of the variable that holds the connection string, for example <c>SERDICA_PERF_POSTGRESQL</c>.</summary>
    public static string ConnectionStringVariable(string backend) => $"SERDICA_PERF_{backend.ToUpperInvariant()}";

    /// <summary>
    /// Name of the variable with the connection string of an application's server, for example
    /// <c>SERDICA_WORKFLOW_POSTGRESQL</c>. Nothing is ever measured there: an application is operated by it.
    /// </summary>
    public static string ApplicationVariable(string backend) => $"SERDICA_WORKFLOW_{backend.ToUpperInvariant()}";

    /// <summary>
    /// Name of the variable that allows measuring an external server with foreign data, for example
    /// <c>SERDICA_PERF_POSTGRESQL_FOREIGN_DATA</c>; <see cref="ForeignDataAccepted"/> is its one value.
    /// </summary>
    public static string ForeignDataVariable(string backend) => $"{ConnectionStringVariable(backend)}_FOREIGN_DATA";

    /// <summary>The value of <see cref="ForeignDataVariable"/>.</summary>
    public const string ForeignDataAccepted = "accept";

    /// <summary>Name of the variable that forces a source, for example <c>SERDICA_PERF_POSTGRESQL_SOURCE</c>.</summary>
    public static string SourceVariable(string backend) => $"{ConnectionStringVariable(backend)}_SOURCE";

    /// <summary>
    /// Name of the variable that names a file of settings for a server that the suite starts, for example
    /// <c>SERDICA_PERF_POSTGRESQL_SETTINGS</c>.
    /// </summary>
    public static string SettingsVariable(string backend) => $"{ConnectionStringVariable(backend)}_SETTINGS";

    /// <summary>Name of the variable that names a container image, for example <c>SERDICA_PERF_POSTGRESQL_IMAGE</c>.</summary>
    public static string ImageVariable(string backend) => $"{ConnectionStringVariable(backend)}_IMAGE";

    /// <summary>
    /// Name of the variable that holds the process id of an external server on this machine, for example
    /// <c>SERDICA_PERF_POSTGRESQL_PROCESS</c>.
    /// </summary>
    public static string ProcessVariable(string backend) => $"{ConnectionStringVariable(backend)}_PROCESS";

    /// <summary>
    /// For the environment of another process: a server that is running already, and nothing that would be done to one that
    /// had to be started. Holds its password.
    /// </summary>
    public static IReadOnlyDictionary<string, string> HandOver(string backend, DatabaseServer server) =>
        new Dictionary<string, string>
        {
            [ConnectionStringVariable(backend)] = server.ConnectionString,
            [SourceVariable(backend)] = DatabaseSourceKind.External.ToString().ToLowerInvariant(),
            [SettingsVariable(backend)] = "",

            // Whoever hands it over has looked at it, and has put data of the suite there.
            [ForeignDataVariable(backend)] = ForeignDataAccepted,

            // The processor time of one node is not that of a cluster.
            [ProcessVariable(backend)] = server.Nodes.Count == 1 ? server.ProcessId?.ToString(CultureInfo.InvariantCulture) ?? "" : "",
        };

    /// <summary>
    /// Reads the request for a back-end. Returns <see langword="false"/> and a sentence in <paramref name="problem"/>
    /// when a variable holds an invalid value.
    /// </summary>
    public bool TryReadRequest(string backend, [NotNullWhen(true)] out DatabaseRequest? request, [NotNullWhen(false)] out string? problem)
    {
        request = null;
        problem = null;
        DatabaseSourceKind? source = null;

        if (Value(SourceVariable(backend)) is { } text)
        {
            source = ParseSource(text);

            if (source is null)
            {
                var valid = string.Join(", ", Enum.GetNames<DatabaseSourceKind>()).ToLowerInvariant();
                problem =
                    $"{SourceVariable(backend)} is '{text}', which is not a source of databases: set it to one of {valid}, or unset it "
                    + $"to try them in that order.";
                return false;
            }
        }

        IReadOnlyDictionary<string, string>? settings = null;
        if (backend is MongoDb or Oracle && Value(SettingsVariable(backend)) is { } unused)
        {
            problem =
                $"{SettingsVariable(backend)} is '{unused}', and the suite gives settings only to PostgreSQL, Citus and DocumentDB: "
                + $"unset it, and start the server with settings of your own, or name an image that has them in {ImageVariable(backend)}.";
            return false;
        }

        if (Value(SettingsVariable(backend)) is { } file && !ServerSettingsFile.TryRead(file, out settings, out var fault))
        {
            problem = $"{SettingsVariable(backend)} names the file '{file}': {fault}.";
            return false;
        }

        if (Value(ForeignDataVariable(backend)) is { } accepted && accepted != ForeignDataAccepted)
        {
            problem = $"{ForeignDataVariable(backend)} is '{accepted}': set it to {ForeignDataAccepted}, or unset it.";
            return false;
        }

        int? processId = null;
        if (Value(ProcessVariable(backend)) is { } process)
        {
            if (backend == Citus)
            {
                problem =
                    $"{ProcessVariable(backend)} is '{process}', and a cluster has a process for each node, so that its processor time "
                    + "would be that of one of them: unset it.";
                return false;
            }

            if (!int.TryParse(process, NumberStyles.None, CultureInfo.InvariantCulture, out var id) || id == 0)
            {
                problem =
                    $"{ProcessVariable(backend)} is '{process}', which is not a process id: set it to that of the server in "
                    + $"{ConnectionStringVariable(backend)}, for PostgreSQL the first line of postmaster.pid, or unset it.";
                return false;
            }

            processId = id;
        }

        request = new DatabaseRequest
        {
            ExternalProcessId = processId,
            AcceptsForeignData = Value(ForeignDataVariable(backend)) is not null,
            ServerSettings = settings ?? new Dictionary<string, string>(),
            ConnectionString = Value(ConnectionStringVariable(backend)),
            Source = source,
            TemporaryFolder = Value(TemporaryFolderVariable),
            CacheFolder = Value(CacheFolderVariable),
            Container = new ContainerOptions
            {
                Image = Value(ImageVariable(backend)),
                Engine = Value(EngineVariable),
                Host = Value(EngineHostVariable),
            },
        };
        return true;
    }

    /// <summary>The connection string of an application's server; <see langword="null"/> when none is named.</summary>
    public string? ReadApplication(string backend) => Value(ApplicationVariable(backend));

    /// <summary>These variables, with the measured server as that of an application.</summary>
    public DatabaseEnvironment AsApplication(string backend) =>
        new(name => variable(name == ApplicationVariable(backend) ? ConnectionStringVariable(backend) : name));

    /// <summary>Whether <c>SERDICA_PERF_REQUIRE</c> names this back-end, so that its absence is a failure and not a skip.</summary>
    /// <param name="backend">As scenarios call it.</param>
    /// <param name="question">
    /// Asks which of the valid names an unknown one was meant to be, in a room that can compare names; null for no question.
    /// </param>
    /// <exception cref="InvalidOperationException">It names something that nothing could require.</exception>
    public bool IsRequired(string backend, Func<string, IEnumerable<string>, string>? question = null)
    {
        var required = (Value(RequireVariable) ?? "").Split(',', TrimEntries | RemoveEmptyEntries);
        return required.FirstOrDefault(name => !CanBeRequired.Contains(name, StringComparer.OrdinalIgnoreCase)) is { } unknown
            ? throw new InvalidOperationException(
                $"{RequireVariable} names '{unknown}', which nothing requires, so its absence would fail nothing: set it to "
                    + $"{string.Join(", ", CanBeRequired)}, comma-separated, or unset it.{question?.Invoke(unknown, CanBeRequired)}"
            )
            : required.Contains(backend, StringComparer.OrdinalIgnoreCase);
    }

    private static DatabaseSourceKind? ParseSource(string text) =>
        Enum.GetValues<DatabaseSourceKind>()
            .Cast<DatabaseSourceKind?>()
            .FirstOrDefault(kind => string.Equals(kind.ToString(), text, OrdinalIgnoreCase));

    /// <summary>The value of any variable; <see langword="null"/> when it is not set.</summary>
    /// <remarks>A variable of Azure Pipelines that is not set stays as <c>$(its name)</c>.</remarks>
    public string? Value(string name) =>
        variable(name)?.Trim() is { Length: > 0 } value && !(value.StartsWith("$(", Ordinal) && value.EndsWith(')'))
            ? value
            : null;
}
