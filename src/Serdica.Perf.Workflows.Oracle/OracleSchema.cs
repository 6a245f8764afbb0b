using System.Security.Cryptography;

namespace Serdica.Perf.Workflows.Oracle;

/// <summary>
/// Makes tables, queues and package, or brings them to what this build needs. Every statement of it commits by itself,
/// so one process at a time goes through it, behind a row lock of another session, and each step stands a repetition.
/// </summary>
internal sealed class OracleSchema(OracleConnections connections, OracleScripts scripts, string prefix)
{
    private const int Attempts = 5;

    private static readonly TimeSpan Pause = FromSeconds(1);

    // A queue table is a dozen objects; the first one on a small server takes its time, and others wait for it.
    private static readonly TimeSpan Limit = FromMinutes(5);

    private readonly string _hash = Convert.ToHexString(
        SHA256.HashData(Encoding.UTF8.GetBytes($"{scripts["package-spec"]}\n{scripts["package-body"]}"))
    );

    public Task InitializeAsync(CancellationToken cancellationToken) =>
        RetryAsync(
            async session =>
            {
                if (await TryReadVersionAsync(session, cancellationToken).ConfigureAwait(false) != (scripts.Migrations.Count, _hash))
                    await UpgradeAsync(session, cancellationToken).ConfigureAwait(false);
            },
            cancellationToken
        );

    public Task DropAsync(CancellationToken cancellationToken) =>
        RetryAsync(session => RunAsync(session, "drop", cancellationToken), cancellationToken);

    private async Task UpgradeAsync(OracleSession session, CancellationToken cancellationToken)
    {
        await RunAsync(session, "create-lock", cancellationToken).ConfigureAwait(false);
        await RunAsync(session, "insert-lock", cancellationToken).ConfigureAwait(false);

        // Another process that is at it holds the row until it is done.
        await session.BeginAsync(cancellationToken).ConfigureAwait(false);
        var (version, hash) = (
            await session.QueryAsync(OracleStatement.LockSchema, [], Limit, ReadVersion, cancellationToken).ConfigureAwait(false)
        )[0];
        if (version > scripts.Migrations.Count)
        {
            throw new InvalidOperationException(
                $"The store '{prefix}' has version {version}, and this build knows {scripts.Migrations.Count}: it was made by a newer "
                    + $"build. Use that one, or another prefix."
            );
        }

        if (version < scripts.Migrations.Count || hash != _hash)
        {
            // What commits by itself would give the row lock away, so it has a session of its own.
            await connections.UseAsync(worker => MakeAsync(worker, version, cancellationToken), cancellationToken).ConfigureAwait(false);
            await session
                .ExecuteAsync(OracleStatement.SetVersion, [scripts.Migrations.Count, _hash], cancellationToken)
                .ConfigureAwait(false);
        }

        await session.CommitAsync().ConfigureAwait(false);
    }

    private async Task<bool> MakeAsync(OracleSession session, int version, CancellationToken cancellationToken)
    {
        for (var i = version; i < scripts.Migrations.Count; i++)
            await RunAsync(session, Invariant($"migration-{i + 1:000}"), cancellationToken).ConfigureAwait(false);
        await RunAsync(session, "create-queues", cancellationToken).ConfigureAwait(false);
        await CompileAsync(session, "package-spec", "PACKAGE", cancellationToken).ConfigureAwait(false);
        await CompileAsync(session, "package-body", "PACKAGE BODY", cancellationToken).ConfigureAwait(false);
        return true;
    }

    /// <summary>A package with errors is stored all the same, and the driver need not complain: ask what is wrong with it.</summary>
    private async Task CompileAsync(OracleSession session, string script, string type, CancellationToken cancellationToken)
    {
        try
        {
            await RunAsync(session, script, cancellationToken).ConfigureAwait(false);
        }
        catch (DbException e) when (OracleErrors.Has(e, OracleErrors.CompiledWithErrors))
        {
            // Only a warning; the lines come from the next query.
        }

        var errors = await session
            .QueryAsync(
                OracleStatement.CompileErrors,
                [prefix, type],
                static reader =>
                    Invariant($"{reader.GetValue(0)} line {reader.GetValue(1)}, column {reader.GetValue(2)}: ")
                    + reader.GetValue(3).ToString()!.Trim(),
                cancellationToken
            )
            .ConfigureAwait(false);
        if (errors.Count > 0)
        {
            throw new WorkflowBackendException(
                $"Package {prefix} does not compile ({script}.sql); see docs/oracle-first-run.md.\n{string.Join('\n', errors)}",
                isTransient: false
            );
        }
    }

    /// <returns>Null when there is no schema yet.</returns>
    private static async Task<(int Version, string? Hash)?> TryReadVersionAsync(OracleSession session, CancellationToken cancellationToken)
    {
        try
        {
            var rows = await session.QueryAsync(OracleStatement.SchemaVersion, [], ReadVersion, cancellationToken).ConfigureAwait(false);
            return rows.Count == 0 ? null : rows[0];
        }
        catch (DbException e) when (OracleErrors.Has(e, OracleErrors.MissingTable))
        {
            return null;
        }
    }

    private static (int Version, string? Hash) ReadVersion(DbDataReader reader) =>
        (Convert.ToInt32(reader.GetValue(0), CultureInfo.InvariantCulture), reader.IsDBNull(1) ? null : reader.GetString(1));

    private static Task<OracleOutput> RunAsync(OracleSession session, string script, CancellationToken cancellationToken) =>
        session.ExecuteAsync(OracleStatement.Plain(script), [], Limit, cancellationToken);

    /// <summary>
    /// Definitions of objects fight for locks of the dictionary with whatever else is defined meanwhile, and a connection
    /// may be lost within the minutes that they take. A server that cannot be reached at all is an error at once.
    /// </summary>
    private async Task RetryAsync(Func<OracleSession, Task> run, CancellationToken cancellationToken)
    {
        for (var attempt = 1; ; attempt++)
        {
            var session = await connections.OpenAsync(cancellationToken).ConfigureAwait(false);
            await using (session.ConfigureAwait(false))
            {
                try
                {
                    await run(session).ConfigureAwait(false);
                    return;
                }
                catch (Exception e)
                    when (attempt < Attempts
                        && OracleErrors.IsDriverError(e)
                        && OracleErrors.KindOf(e) is (OracleErrorKind.Transient or OracleErrorKind.LostConnection)
                    )
                {
                    // Each step stands a repetition.
                }
            }

            await Task.Delay(Pause * attempt, cancellationToken).ConfigureAwait(false);
        }
    }
}
