namespace Serdica.Perf.Faults.Actuators;

/// <summary>Strikes one node of a throw-away cluster at a time: its workers, then its coordinator, and again from the first.</summary>
internal sealed class ClusterActuator(LocalCitusCluster cluster) : IServerActuator
{
    private readonly (string Name, ServerActuator Actuator)[] _nodes =
    [
        .. cluster.Workers.Select((worker, i) => (Invariant($"worker {i + 1}"), new ServerActuator(worker))),
        ("coordinator", new ServerActuator(cluster.Coordinator)),
    ];

    private int _strikes;

    public Task<FaultEvidence> RestartAsync(FaultKind how, TimeSpan down, CancellationToken cancellationToken) =>
        StrikeAsync(node => node.RestartAsync(how, down, cancellationToken));

    public Task<FaultEvidence> PauseAsync(TimeSpan duration, CancellationToken cancellationToken) =>
        StrikeAsync(node => node.PauseAsync(duration, cancellationToken));

    private async Task<FaultEvidence> StrikeAsync(Func<ServerActuator, Task<FaultEvidence>> strike)
    {
        var (name, node) = _nodes[_strikes++ % _nodes.Length];
        var evidence = await strike(node);
        return evidence with { Sentence = $"{name}: {evidence.Sentence}" };
    }
}
