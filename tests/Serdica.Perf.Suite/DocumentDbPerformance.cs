namespace Serdica.Perf.Suite;

public sealed class DocumentDbPerformance(PerfRun run) : BackendPerformance(run, BackendNames.DocumentDb);
