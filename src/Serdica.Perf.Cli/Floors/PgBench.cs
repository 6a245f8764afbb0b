using Npgsql;

namespace Serdica.Perf.Cli.Floors;

/// <summary>
/// Measures raw SQL with PostgreSQL's own <c>pgbench</c>: the three single-row commits of a round trip, in a schema that is
/// dropped with this object.
/// </summary>
internal sealed class PgBench(string program, string connectionString, string script) : IAsyncDisposable
{
    /// <summary>Fewer than a server accepts by default; more do not raise the rate of raw statements on two cores.</summary>
    public const int MostConnections = 64;

    private const string LogPosition = "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')";

    // A name of its own: the server may be the user's.
    private readonly string _schema = HeldStore.NewName($"{PostgreSqlStores.Prefix}floor_");

    // The connections of a measurement must not find one that waits in a pool.
    private readonly NpgsqlConnectionStringBuilder _server = new(connectionString) { Pooling = false };

    /// <summary>Measures once, on fresh tables.</summary>
    /// <returns>Round trips a second, and bytes of the log for each.</returns>
    /// <exception cref="MeasuringException">pgbench failed, or its count differs from the rows in the database.</exception>
    public async Task<(double PerSecond, double WalBytes)> MeasureAsync(int callers, TimeSpan duration, CancellationToken cancellationToken)
    {
        try
        {
            await CreateTablesAsync(cancellationToken);
            var logBefore = await ReadAsync<decimal>(LogPosition, cancellationToken);
            var (exitCode, output, error) = await ChildProcess.RunAsync(
                program,
                [
                    "--no-vacuum",
                    "--protocol=prepared",
                    "--define=n=0",
                    "--file",
                    script,
                    "--client",
                    Invariant($"{Math.Min(callers, MostConnections)}"),
                    "--time",
                    Invariant($"{duration.TotalSeconds:0}"),
                ],
                Directory.GetCurrentDirectory(),
                Variables(),
                cancellationToken
            );
            if (exitCode != 0 || Read(output) is not { } result)
            {
                throw new MeasuringException(
                    ExitCodes.Failed,
                    $"'{program}' with {Figure.Number(callers, "caller")} ended with exit code {exitCode}: "
                        + SecretScrubber.Scrub(error + output).Trim()
                );
            }

            var logAfter = await ReadAsync<decimal>(LogPosition, cancellationToken);
            var rows = await ReadAsync<long>(
                $"select count(*) - (select count(*) from {_schema}.signal) from {_schema}.instance where version = 1",
                cancellationToken
            );
            Check(result.RoundTrips, rows);
            return (result.PerSecond, (double)(logAfter - logBefore) / rows);
        }
        catch (NpgsqlException e)
        {
            throw new MeasuringException(
                ExitCodes.Failed,
                $"The server stopped the measurement of raw SQL with {Figure.Number(callers, "caller")}: {e.Message}"
            );
        }
    }

    /// <exception cref="MeasuringException">The server does not answer, so the schema is still there.</exception>
    public async ValueTask DisposeAsync()
    {
        try
        {
            await ExecuteAsync($"drop schema if exists {_schema} cascade", CancellationToken.None);
        }
        catch (NpgsqlException e)
        {
            throw new MeasuringException(ExitCodes.Failed, $"The schema {_schema} could not be dropped; drop it yourself. {e.Message}");
        }
    }

    /// <summary>Holds what pgbench reports against the rows that it left.</summary>
    /// <exception cref="MeasuringException">They differ.</exception>
    internal static void Check(long reported, long rows)
    {
        if (reported != rows || rows == 0)
        {
            throw new MeasuringException(
                ExitCodes.Failed,
                Invariant($"pgbench reports {reported} round trips, and the database has {rows} completed instances, ")
                    + "so its rate is not used."
            );
        }
    }

    /// <summary>The two figures in the output of pgbench; null when one is missing.</summary>
    internal static (double PerSecond, long RoundTrips)? Read(string output)
    {
        var lines = output.Split('\n');
        return
            double.TryParse(After("tps = "), NumberStyles.Float, CultureInfo.InvariantCulture, out var rate)
            && long.TryParse(
                After("number of transactions actually processed: "),
                NumberStyles.None,
                CultureInfo.InvariantCulture,
                out var count
            )
            ? (rate, count)
            : null;

        // "tps = 1446.05 (without initial connection time)", and up to PostgreSQL 14 "actually processed: 7230/7230".
        string? After(string words) =>
            lines.FirstOrDefault(line => line.StartsWith(words, Ordinal))?[words.Length..].Split(' ', '/')[0].Trim();
    }

    private Task CreateTablesAsync(CancellationToken cancellationToken)
    {
        // The script lies in the folder of this measurement.
        var marker = StoreMarker.Of(Path.GetFileName(Path.GetDirectoryName(script)) ?? "", TimeProvider.System.GetUtcNow());
        return ExecuteAsync(
            $"""
            drop schema if exists {_schema} cascade;
            create schema {_schema};
            {PostgreSqlStores.Mark(_schema, marker)};
            create table {_schema}.instance (id bigint primary key, version int not null, state text not null) with (fillfactor = 50);
            create table {_schema}.signal (instance_id bigint primary key, payload text not null);
            """,
            cancellationToken
        );
    }

    /// <summary>The connection as programs of PostgreSQL expect it. Holds the password.</summary>
    private Dictionary<string, string> Variables()
    {
        var variables = new Dictionary<string, string>
        {
            ["PGHOST"] = _server.Host!,
            ["PGPORT"] = Invariant($"{_server.Port}"),
            ["PGUSER"] = _server.Username ?? Environment.UserName,
            ["PGDATABASE"] = _server.Database ?? _server.Username ?? Environment.UserName,
            ["PGSSLMODE"] = _server.SslMode switch
            {
                SslMode.VerifyCA => "verify-ca",
                SslMode.VerifyFull => "verify-full",
                var mode => mode.ToString().ToLowerInvariant(),
            },
            ["PGOPTIONS"] = $"-c search_path={_schema}",

            // Its output is read, and is translated otherwise.
            ["LC_ALL"] = "C",
        };
        if (_server.Password is { } password)
            variables["PGPASSWORD"] = password;
        if (_server.RootCertificate is { } certificate)
            variables["PGSSLROOTCERT"] = certificate;
        return variables;
    }

    private async Task<T> ReadAsync<T>(string query, CancellationToken cancellationToken)
    {
        await using (var connection = new NpgsqlConnection(_server.ConnectionString))
        {
            await connection.OpenAsync(cancellationToken);
            await using (var command = new NpgsqlCommand(query, connection))
                return (T)(await command.ExecuteScalarAsync(cancellationToken))!;
        }
    }

    private async Task ExecuteAsync(string statements, CancellationToken cancellationToken)
    {
        await using (var connection = new NpgsqlConnection(_server.ConnectionString))
        {
            await connection.OpenAsync(cancellationToken);
            await using (var command = new NpgsqlCommand(statements, connection))
                await command.ExecuteNonQueryAsync(cancellationToken);
        }
    }
}
