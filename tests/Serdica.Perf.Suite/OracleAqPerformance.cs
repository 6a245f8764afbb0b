namespace Serdica.Perf.Suite;

/// <summary>Runs on a real Oracle wherever SERDICA_PERF_ORACLE names one, and skips with one sentence elsewhere.</summary>
public sealed class OracleAqPerformance(PerfRun run) : BackendPerformance(run, BackendNames.OracleAq);
