namespace Serdica.Perf.Suite;

public sealed class PostgreSqlPerformance(PerfRun run) : BackendPerformance(run, BackendNames.PostgreSql);
