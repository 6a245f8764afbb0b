namespace Serdica.Perf.Workflows;

/// <summary>Time that the engine's own database sessions spent waiting for one thing.</summary>
/// <param name="Class">The server's group of waits, for instance <c>IO</c> or <c>Lock</c>; <c>CPU</c> for sessions that ran.</param>
/// <param name="Name">The server's name of the wait, for instance <c>WALSync</c> or <c>log file sync</c>.</param>
/// <param name="Microseconds">The sum over all sessions; of samples it is the time that the samples stand for.</param>
/// <param name="Count">Samples, or waits where the server counts them.</param>
public sealed record WaitTime(string Class, string Name, double Microseconds, long Count);
