namespace Serdica.Perf.Compliance;

/// <summary>All that differs between the backends of the suite: where an empty schema comes from.</summary>
public interface IBackendFixture
{
    /// <summary>Makes an isolated place for one test; skips the test when this machine has no server for it.</summary>
    Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken);
}
