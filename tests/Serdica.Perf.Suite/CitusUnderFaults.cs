using Serdica.Perf.Backends;

namespace Serdica.Perf.Suite;

public sealed class CitusUnderFaults() : BackendUnderFaults(BackendNames.Citus);
