using Npgsql;

namespace Serdica.Perf.Cli.Commands;

/// <summary>Opens an application's store for one command, and says why it cannot be reached.</summary>
internal sealed class StoreSession(TextWriter error, DatabaseEnvironment environment)
{
    public const string BackendHelp = "The environment names its server, for instance SERDICA_WORKFLOW_POSTGRESQL.";

    public const string StoreHelp = "The application's schema (PostgreSQL), database (MongoDB, DocumentDB) or prefix (Oracle).";

    /// <param name="backend">Its name; null for PostgreSQL.</param>
    /// <param name="store">Schema, database or prefix; null for the backend's default.</param>
    /// <returns>The exit code of the process.</returns>
    /// <exception cref="UsageException">There is no such backend, or the name of the store is not usable.</exception>
    public async Task<int> RunAsync(
        string? backend,
        string? store,
        string what,
        Func<IWorkflowBackend, CancellationToken, Task> workAsync,
        CancellationToken cancellationToken
    )
    {
        var name = backend ?? BackendNames.PostgreSql;
        if (!ApplicationStore.Backends.Contains(name))
            throw new UsageException(
                $"There is no backend '{name}' that keeps {what}; there are {string.Join(", ", ApplicationStore.Backends)}."
                    + ClosestName.Question(name, ApplicationStore.Backends)
            );

        try
        {
            var (opened, reason) = ApplicationStore.Open(name, store, environment);
            if (opened is null)
            {
                await error.WriteLineAsync(reason);
                return ExitCodes.BackendUnavailable;
            }

            await using (opened)
                await workAsync(opened, cancellationToken);
            return ExitCodes.Success;
        }
        catch (ArgumentException e)
        {
            throw new UsageException(e.Message);
        }
        catch (WorkflowBackendException e)
        {
            var named = store is null ? "the default store (--store names another)" : $"'{store}'";
            var reason = e.Code == PostgresErrorCodes.UndefinedTable ? "there is no such store. Check --store." : e.Message;
            await error.WriteLineAsync($"The {what} of {named} on {name} cannot be reached: {reason}");
            return ExitCodes.Failed;
        }
    }
}
