using Serdica.Perf.Backends;
using Serdica.Perf.Testing;

namespace Serdica.Perf.Suite;

/// <summary>The same server as that of <see cref="OracleAqPerformance"/>, with one message in each transaction.</summary>
public sealed class OracleAqReferencePerformance(PerfRun run) : BackendPerformance(run, BackendNames.OracleAqReference);
