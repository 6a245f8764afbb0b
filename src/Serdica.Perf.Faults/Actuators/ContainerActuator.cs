using System.Globalization;
using Serdica.Perf.Databases;
using Serdica.Perf.Databases.Containers;
using Serdica.Perf.Faults.Figures;
using Serdica.Perf.Faults.Plans;

namespace Serdica.Perf.Faults.Actuators;

/// <summary>
/// Ends and pauses the container of a server whose first process is the server itself. The evidence is what the engine reports.
/// </summary>
internal sealed class ContainerActuator(ContainerServer server) : IServerActuator
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(20);

    private readonly IDatabaseContainer _container = server.Container;

    public Task<FaultEvidence> RestartAsync(FaultKind how, TimeSpan down, CancellationToken cancellationToken) =>
        OrFaultAsync(async () =>
        {
            var before = await _container.InspectAsync(cancellationToken).ConfigureAwait(false);
            var ended = await EndAsync(Signal(how), cancellationToken).ConfigureAwait(false);
            await Task.Delay(down, cancellationToken).ConfigureAwait(false);
            await server.StartAgainAsync(cancellationToken).ConfigureAwait(false);
            var again = await _container.InspectAsync(cancellationToken).ConfigureAwait(false);
            return new(
                before.IsRunning && again.IsRunning && again.StartedAt > before.StartedAt ? 1 : 0,
                Text($"the container ran since {before.StartedAt:HH:mm:ss.fff}, ended with code {ended.ExitCode} ")
                    + Text($"and was started at {again.StartedAt:HH:mm:ss.fff}")
            );
        });

    public Task<FaultEvidence> PauseAsync(TimeSpan duration, CancellationToken cancellationToken) =>
        OrFaultAsync(async () =>
        {
            ContainerState during;
            try
            {
                await _container.PauseAsync(cancellationToken).ConfigureAwait(false);
                await Task.Delay(duration, cancellationToken).ConfigureAwait(false);
                during = await _container.InspectAsync(cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                // A request that was cancelled may have been carried out.
                if ((await _container.InspectAsync(CancellationToken.None).ConfigureAwait(false)).IsPaused)
                    await _container.UnpauseAsync(CancellationToken.None).ConfigureAwait(false);
            }

            var after = await _container.InspectAsync(cancellationToken).ConfigureAwait(false);
            return new(
                during.IsPaused && after is { IsRunning: true, IsPaused: false } && after.StartedAt == during.StartedAt ? 1 : 0,
                Text($"the container was {(during.IsPaused ? "paused" : "not paused")} ")
                    + Text($"and {(after.IsRunning ? "runs" : "does not run")} since {after.StartedAt:HH:mm:ss.fff}")
            );
        });

    /// <summary>PostgreSQL stops at once at SIGQUIT, and in order, without waiting for its clients, at SIGINT.</summary>
    private static string Signal(FaultKind how) =>
        how switch
        {
            FaultKind.KillDatabase => "SIGKILL",
            FaultKind.CrashDatabase => "SIGQUIT",
            FaultKind.RestartDatabase => "SIGINT",
            _ => throw new ArgumentException($"'{how}' does not end a server."),
        };

    private async Task<ContainerState> EndAsync(string signal, CancellationToken cancellationToken)
    {
        await _container.SignalAsync(signal, cancellationToken).ConfigureAwait(false);
        for (var began = TimeProvider.System.GetTimestamp(); ;)
        {
            var state = await _container.InspectAsync(cancellationToken).ConfigureAwait(false);
            if (!state.IsRunning)
                return state;
            if (TimeProvider.System.GetElapsedTime(began) > Patience)
                throw new DatabaseStartException($"The container {_container.Id} runs {Patience.TotalSeconds:0} s after {signal}.");
            await Task.Delay(Step, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task<FaultEvidence> OrFaultAsync(Func<Task<FaultEvidence>> fault)
    {
        try
        {
            return await fault().ConfigureAwait(false);
        }
        catch (ContainerEngineException e)
        {
            throw new DatabaseStartException($"The container engine did not do a fault to the container {_container.Id} ({e.Message}).");
        }
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
