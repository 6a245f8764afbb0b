namespace Serdica.Perf.Suite;

public sealed class PostgreSqlUnderFaults() : BackendUnderFaults(BackendNames.PostgreSql);
