using Serdica.Perf.Backends;
using Serdica.Perf.Testing;

namespace Serdica.Perf.Suite;

/// <summary>The scenarios on MongoDB.</summary>
public sealed class MongoDbPerformance(PerfRun run) : BackendPerformance(run, BackendNames.MongoDb);
