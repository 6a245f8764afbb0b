namespace Serdica.Perf.Compliance;

/// <summary>All that differs between the backends of the suite: where an empty schema comes from.</summary>
public interface IBackendFixture
{
    /// <summary>Makes an isolated place for one test; skips the test when this machine has no server for it.</summary>
    Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken);

    /// <summary>
    /// The same, for tests that use it by way of a backend alone: others may have used it before, and left it empty, and share the
    /// connections to it.
    /// </summary>
    Task<IBackendSchema> BorrowSchemaAsync(CancellationToken cancellationToken) => CreateSchemaAsync(cancellationToken);
}
