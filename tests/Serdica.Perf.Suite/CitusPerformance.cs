namespace Serdica.Perf.Suite;

public sealed class CitusPerformance(PerfRun run) : BackendPerformance(run, BackendNames.Citus);
