namespace Serdica.Perf.Suite;

public sealed class DocumentDbUnderFaults() : BackendUnderFaults(BackendNames.DocumentDb);
