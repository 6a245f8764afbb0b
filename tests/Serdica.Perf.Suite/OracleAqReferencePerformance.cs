namespace Serdica.Perf.Suite;

/// <summary>Runs on the server of <see cref="OracleAqPerformance"/>, with a transaction for each signal and message.</summary>
public sealed class OracleAqReferencePerformance(PerfRun run) : BackendPerformance(run, BackendNames.OracleAqReference);
