using Serdica.Perf.Faults.Figures;
using Serdica.Perf.Faults.Plans;

namespace Serdica.Perf.Faults.Actuators;

/// <summary>What a run does to a server as a whole, wherever the server runs.</summary>
internal interface IServerActuator
{
    /// <summary>Ends the server, and starts it again after a time. Returns when it answers.</summary>
    /// <param name="how">
    /// <see cref="FaultKind.KillDatabase"/>, <see cref="FaultKind.CrashDatabase"/> or <see cref="FaultKind.RestartDatabase"/>.
    /// </param>
    /// <param name="down">How long it does not run.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    Task<FaultEvidence> RestartAsync(FaultKind how, TimeSpan down, CancellationToken cancellationToken);

    /// <summary>Stops all processes of the server for a time. They run again when this has returned or thrown.</summary>
    Task<FaultEvidence> PauseAsync(TimeSpan duration, CancellationToken cancellationToken);
}
