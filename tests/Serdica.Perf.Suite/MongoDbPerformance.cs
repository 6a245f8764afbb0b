namespace Serdica.Perf.Suite;

/// <summary>The scenarios on MongoDB.</summary>
public sealed class MongoDbPerformance(PerfRun run) : BackendPerformance(run, BackendNames.MongoDb);
