namespace Serdica.Perf.Faults.Actuators;

/// <summary>What Linux says of processes.</summary>
internal static class ProcessTree
{
    /// <summary>A process and its children, the process first.</summary>
    public static IReadOnlyList<int> WithChildren(int process) =>
        [process, .. ProcessStatus.ChildrenOf(process).Select(id => int.Parse(id, CultureInfo.InvariantCulture))];

    /// <summary>Whether the process is stopped by a signal.</summary>
    public static bool IsStopped(int process) => State(process) == 'T';

    /// <summary>Whether the process is there; one that has ended and that nobody has waited for is not.</summary>
    public static bool IsAlive(int process) => State(process) is not (null or 'Z' or 'X');

    private static char? State(int process) => ProcessStatus.Read(Invariant($"{process}"), "State")?[0];
}
