namespace Serdica.Perf.Suite;

public sealed class InMemoryPerformance(PerfRun run) : BackendPerformance(run, BackendNames.InMemory);
