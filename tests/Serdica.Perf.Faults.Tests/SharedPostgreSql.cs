[assembly: AssemblyFixture(typeof(Serdica.Perf.Faults.Tests.SharedPostgreSql))]

namespace Serdica.Perf.Faults.Tests;

/// <summary>For the tests that leave it running.</summary>
public sealed class SharedPostgreSql() : SharedServer(DatabaseEnvironment.PostgreSql);
