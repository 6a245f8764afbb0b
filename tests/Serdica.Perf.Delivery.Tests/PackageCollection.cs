namespace Serdica.Perf.Delivery.Tests;

/// <summary>The tests that share the packages.</summary>
[CollectionDefinition]
public sealed class PackageCollection : ICollectionFixture<PackedSolution>;
