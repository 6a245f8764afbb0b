namespace Serdica.Perf.Faults.Actuators;

/// <summary>Kills, stops and pauses a throw-away server, and starts it again on its port.</summary>
internal sealed class ServerActuator(LocalPostgreSqlServer server) : IServerActuator
{
    private static readonly TimeSpan Patience = FromSeconds(30);
    private static readonly TimeSpan Step = FromMilliseconds(5);

    /// <summary>The file with the state of the server is not longer, so that it is written whole or not at all.</summary>
    private const long FirstPage = 8_192;

    public LocalCluster Cluster => server.Cluster;

    public async Task<FaultEvidence> RestartAsync(FaultKind how, TimeSpan down, CancellationToken cancellationToken)
    {
        var processes =
            how == FaultKind.KillDatabase
                ? await KillAsync(cancellationToken)
                : await StopAsync(how == FaultKind.CrashDatabase, cancellationToken);
        await Task.Delay(down, cancellationToken);
        await Cluster.StartAgainAsync(cancellationToken);
        return new(processes, $"{processes} processes of the server ended");
    }

    public async Task<FaultEvidence> PauseAsync(TimeSpan duration, CancellationToken cancellationToken)
    {
        await using (var paused = await PauseAsync(cancellationToken))
        {
            await Task.Delay(duration, cancellationToken);
            return new(paused.Stopped, $"{paused.Stopped} processes of the server were stopped and resumed");
        }
    }

    /// <summary>Kills all processes of the server, and returns when they are gone.</summary>
    /// <returns>How many were killed.</returns>
    public Task<int> KillAsync(CancellationToken cancellationToken) => KillAsync(Processes()[0], cancellationToken);

    /// <summary>Stops the server: at once, as after a crash, or in order.</summary>
    /// <returns>How many processes it had.</returns>
    public async Task<int> StopAsync(bool immediate, CancellationToken cancellationToken)
    {
        var processes = Processes().Count;
        await Cluster.StopAsync(immediate, cancellationToken);
        return processes;
    }

    /// <summary>
    /// Lets no file of the server be written beyond its first page, as on a full volume: the first commit that has to be written ends
    /// the server, and its recovery fails in the same way.
    /// </summary>
    /// <returns>The processes that the server had, the first of them first.</returns>
    public async Task<IReadOnlyList<int>> FillDiskAsync(CancellationToken cancellationToken)
    {
        // The first process starts the others: once it is limited, none without the limit comes.
        var first = Processes()[0];
        await Cluster.LimitFilesAsync([first], FirstPage, cancellationToken);
        var processes = ProcessTree.WithChildren(first);
        await Cluster.LimitFilesAsync(processes, FirstPage, cancellationToken);
        return processes;
    }

    /// <summary>How often the server has found no room for what it had to write.</summary>
    public int CountWritesWithoutRoom() => Cluster.CountInLog("No space left on device");

    /// <summary>Waits until processes have ended.</summary>
    /// <returns>Whether they did before the patience ended.</returns>
    public static async Task<bool> HaveEndedAsync(IEnumerable<int> processes, CancellationToken cancellationToken)
    {
        for (var waited = TimeSpan.Zero; processes.Any(ProcessTree.IsAlive); waited += Step)
        {
            if (waited > Patience)
                return false;
            await Task.Delay(Step, cancellationToken);
        }

        return true;
    }

    /// <summary>Ends what is left of the server, starts it without any limit, and returns when it answers.</summary>
    public async Task StartAfreshAsync(CancellationToken cancellationToken)
    {
        if (server.ProcessId is { } first)
            await KillAsync(first, cancellationToken);
        await Cluster.StartAgainAsync(cancellationToken);
    }

    /// <summary>Stops all processes of the server by SIGSTOP.</summary>
    public async Task<PausedServer> PauseAsync(CancellationToken cancellationToken)
    {
        // The first process starts the others: once it is stopped, no more of them come.
        var first = await PausedProcesses.PauseAsync([Processes()[0]], cancellationToken);
        try
        {
            return new(first, await PausedProcesses.PauseAsync([.. Processes().Skip(1)], cancellationToken));
        }
        catch
        {
            await first.DisposeAsync();
            throw;
        }
    }

    private static async Task<int> KillAsync(int first, CancellationToken cancellationToken)
    {
        // Stopped at first, for it may be about to start others.
        await using (var stopped = await PausedProcesses.PauseAsync([first], cancellationToken))
        {
            var processes = ProcessTree.WithChildren(first);
            await Signals.SendAsync(Signals.Kill, processes, cancellationToken);
            return await HaveEndedAsync(processes, cancellationToken)
                ? processes.Count
                : throw new TimeoutException($"Processes {string.Join(", ", processes)} of the server are alive after SIGKILL.");
        }
    }

    private IReadOnlyList<int> Processes() =>
        server.ProcessId is { } process
            ? ProcessTree.WithChildren(process)
            : throw new InvalidOperationException("The server does not run, so nothing can be done to its processes.");
}

/// <summary>A server all of whose processes are stopped until this object is disposed.</summary>
internal sealed class PausedServer(PausedProcesses first, PausedProcesses others) : IAsyncDisposable
{
    /// <summary>How many of its processes are stopped now.</summary>
    public int Stopped => first.Stopped + others.Stopped;

    public async ValueTask DisposeAsync()
    {
        await others.DisposeAsync();
        await first.DisposeAsync();
    }
}
