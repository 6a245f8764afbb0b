namespace Serdica.Perf.Suite;

public sealed class CitusUnderFaults() : BackendUnderFaults(BackendNames.Citus);
