[assembly: AssemblyFixture(typeof(Serdica.Perf.Databases.Tests.SharedDocumentDb))]

namespace Serdica.Perf.Databases.Tests;

/// <summary>For the tests that only ask it something.</summary>
public sealed class SharedDocumentDb() : SharedServer(DatabaseEnvironment.DocumentDb);
