namespace Serdica.Perf.Faults.Actuators;

/// <summary>What a run does to a server as a whole.</summary>
internal interface IServerActuator
{
    /// <summary>Ends the server as the kind of fault says, and starts it again after a time. Returns when it answers.</summary>
    Task<FaultEvidence> RestartAsync(FaultKind how, TimeSpan down, CancellationToken cancellationToken);

    /// <summary>Stops all processes of the server for a time. They run again when this has returned or thrown.</summary>
    Task<FaultEvidence> PauseAsync(TimeSpan duration, CancellationToken cancellationToken);
}
