namespace Serdica.Perf.Faults.Actuators;

/// <summary>Ends and pauses a container whose first process is the server. The evidence is what the engine reports.</summary>
internal sealed class ContainerActuator(ContainerServer server) : IServerActuator
{
    private const int MostLooks = 6_000;

    private static readonly TimeSpan BetweenLooks = FromMilliseconds(20);

    public async Task<FaultEvidence> RestartAsync(FaultKind how, TimeSpan down, CancellationToken cancellationToken)
    {
        // PostgreSQL stops at once at SIGQUIT, and in order, without waiting for its clients, at SIGINT.
        var signal =
            how == FaultKind.KillDatabase ? "SIGKILL"
            : how == FaultKind.CrashDatabase ? "SIGQUIT"
            : "SIGINT";
        var before = await InspectAsync(cancellationToken);
        await server.Container.SignalAsync(signal, cancellationToken);
        var ended = before;
        for (var looks = 0; ended.IsRunning; looks++)
        {
            if (looks == MostLooks)
                throw new DatabaseStartException($"The container runs after {signal}.");
            await Task.Delay(BetweenLooks, cancellationToken);
            ended = await InspectAsync(cancellationToken);
        }

        await Task.Delay(down, cancellationToken);
        await server.StartAgainAsync(cancellationToken);
        var again = await InspectAsync(cancellationToken);
        return Evidence(
            again.IsRunning && again.StartedAt > before.StartedAt,
            $"since {before.StartedAt:HH:mm:ss.fff}, ended with code {ended.ExitCode}, and runs since {again.StartedAt:HH:mm:ss.fff}"
        );
    }

    public async Task<FaultEvidence> PauseAsync(TimeSpan duration, CancellationToken cancellationToken)
    {
        ContainerState during;
        try
        {
            await server.Container.SetPausedAsync(true, cancellationToken);
            await Task.Delay(duration, cancellationToken);
            during = await InspectAsync(cancellationToken);
        }
        finally
        {
            // A request that was cancelled may have been carried out.
            if ((await InspectAsync(CancellationToken.None)).IsPaused)
                await server.Container.SetPausedAsync(false, CancellationToken.None);
        }

        var after = await InspectAsync(cancellationToken);
        return Evidence(
            during.IsPaused && after is { IsRunning: true, IsPaused: false } && after.StartedAt == during.StartedAt,
            $"since {after.StartedAt:HH:mm:ss.fff}, and was paused meanwhile"
        );
    }

    private Task<ContainerState> InspectAsync(CancellationToken cancellationToken) => server.Container.InspectAsync(cancellationToken);

    private static FaultEvidence Evidence(bool hasStruck, FormattableString text) =>
        new(hasStruck ? 1 : 0, "the container ran " + text.ToString(CultureInfo.InvariantCulture));
}
