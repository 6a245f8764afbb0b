namespace Serdica.Perf.Cli.Commands;

/// <summary>`leftovers`: finds the stores that killed runs have left on an external server, and drops them.</summary>
internal sealed class LeftoversCommand
{
    private const string Examples = """
        Examples:
          serdica-perf leftovers
            Lists the suite's stores on the servers that SERDICA_PERF_POSTGRESQL and
            its siblings name, and says which were left by killed runs.
          serdica-perf leftovers --delete --backend postgresql
            Drops those that were left on PostgreSQL.

        A store is dropped when it carries the suite's marker, belongs to the user of
        the connection, and its run has not renewed the marker for more than a day.
        The name alone is not enough.

        Exit codes:
          0  the command ended; the output says what is there and what was dropped
          1  a server cannot be asked, or a store could not be dropped
          2  a name or value is unknown or invalid; nothing was dropped there
          4  no server is named, or the backend is not available
        """;

    private readonly TextWriter _output;
    private readonly TextWriter _error;
    private readonly DatabaseEnvironment _environment;
    private readonly TimeProvider _time;
    private readonly Option<string[]> _backends;
    private readonly Option<bool> _delete = new("--delete") { Description = "Drops the stores that were left." };

    /// <param name="error">Gets why a server cannot be asked.</param>
    public LeftoversCommand(TextWriter output, TextWriter error, DatabaseEnvironment environment, TimeProvider time)
    {
        (_output, _error, _environment, _time) = (output, error, environment, time);
        Command = new DocumentedCommand(
            "leftovers",
            "Lists the stores that killed runs left on external servers. --delete drops those that are older than a day.",
            Examples
        )
        {
            _delete,
        };
        _backends = Command.Names(
            "--backend",
            "NAME",
            $"Looks only on these backends: {string.Join(", ", StoreServers.Backends)}. Default: all whose server is named."
        );
        Command.SetAction((parsed, cancellationToken) => RunAsync(parsed, cancellationToken));
    }

    public Command Command { get; }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellationToken)
    {
        var named = OptionDeclarations.Split(parsed.GetValue(_backends));
        if (named.FirstOrDefault(name => !StoreServers.Backends.Contains(name)) is { } unknown)
            throw new UsageException(
                $"There is no backend '{unknown}' that keeps stores; there are {string.Join(", ", StoreServers.Backends)}."
                    + ClosestName.Question(unknown, StoreServers.Backends)
            );

        var backends = named.Count > 0 ? named : [.. StoreServers.Named(_environment)];
        if (backends.Count == 0)
        {
            await _error.WriteLineAsync(
                $"No server is named: set {DatabaseEnvironment.ConnectionStringVariable(BackendNames.PostgreSql)}, or the variable of "
                    + "another backend, to the connection string of the server that was measured."
            );
            return ExitCodes.BackendUnavailable;
        }

        var codes = new List<int>();
        foreach (var backend in backends)
            codes.Add(await LookAsync(backend, parsed.GetValue(_delete), cancellationToken));
        return new[] { ExitCodes.Usage, ExitCodes.Failed, ExitCodes.BackendUnavailable }.FirstOrDefault(codes.Contains);
    }

    private async Task<int> LookAsync(string backend, bool delete, CancellationToken cancellationToken)
    {
        try
        {
            var (server, reason) = StoreServers.Open(backend, _environment);
            if (server is not null)
                return await LookAsync(backend, server, delete, cancellationToken) ? ExitCodes.Success : ExitCodes.Failed;
            await _error.WriteLineAsync($"{backend}: {reason}");
            return ExitCodes.BackendUnavailable;
        }
        catch (ArgumentException)
        {
            // The driver's message may quote the password.
            await _error.WriteLineAsync($"{backend}: its connection string cannot be read.");
            return ExitCodes.Usage;
        }
    }

    /// <returns>Whether the server answered, and all that was to be dropped was dropped.</returns>
    private async Task<bool> LookAsync(string backend, IStoreServer server, bool delete, CancellationToken cancellationToken)
    {
        IReadOnlyList<FoundStore> stores;
        try
        {
            stores = await server.FindAsync(cancellationToken);
        }
        catch (WorkflowBackendException e)
        {
            await _error.WriteLineAsync($"The stores on {backend} cannot be listed: {e.Message}");
            return false;
        }

        var now = _time.GetUtcNow();
        var left = stores.Where(store => store.StateAt(now) == StoreState.Left).ToArray();
        foreach (var store in stores)
            await WriteAsync(store, now);
        if (!delete)
        {
            await _output.WriteLineAsync(
                $"{backend}: {Figure.Number(stores.Count, "store")}, {left.Length} left by killed runs."
                    + (left.Length > 0 ? " Drop them with --delete." : "")
            );
            return true;
        }

        var dropped = 0;
        foreach (var store in left)
        {
            try
            {
                await server.DropAsync(store.Name, cancellationToken);
                dropped++;
            }
            catch (WorkflowBackendException e)
            {
                await _error.WriteLineAsync($"The store {store.Name} on {backend} is still there: {e.Message}");
            }
        }

        var kept = stores.Count - left.Length;
        await _output.WriteLineAsync(
            $"{backend}: dropped {dropped} of {Figure.Number(left.Length, "store")} that killed runs left"
                + (kept == 0 ? "." : $"; {Figure.Number(kept, "store")} {(kept == 1 ? "is" : "are")} kept.")
        );
        return dropped == left.Length;
    }

    private async Task WriteAsync(FoundStore store, DateTimeOffset now)
    {
        await _output.WriteLineAsync(store.Name);
        if (store.Marker is { } marker)
            await _output.WriteLineAsync(
                $"  made {marker.MadeAt:yyyy-MM-dd HH:mm}Z by process {marker.ProcessId} on {marker.Host}\n  for the run {marker.Run}"
            );
        await _output.WriteLineAsync(
            store.StateAt(now) switch
            {
                StoreState.Left => $"  left: its run was last seen {store.Marker!.SeenAt:yyyy-MM-dd HH:mm}Z",
                StoreState.Recent => $"  kept: its run was seen {store.Marker!.SeenAt:yyyy-MM-dd HH:mm}Z, within a day",
                StoreState.OfAnotherUser => "  kept: another user of the server owns it",
                _ => "  kept: it has no marker of the suite, so its owner is unknown",
            }
        );
    }
}
