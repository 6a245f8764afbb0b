
namespace Serdica.Perf.Databases.Containers;

/// <summary>
/// The images that databases in containers are started from, pinned here and nowhere else (<c>eng/compose.yaml</c> is held
/// to them by a test). Each can be replaced, see <see cref="DatabaseEnvironment.ImageVariable"/>.
/// </summary>
/// <remarks>
/// Tags and no digests: no registry was available where this was written, and a digest that nobody has seen would be an
/// invention. Whoever knows it writes <c>postgres:18@sha256:...</c>. What a run really used is in its results.
/// </remarks>
internal static class ContainerImages
{
    public const string PostgreSql = "postgres:18";

    public const string MongoDb = "mongo:8";

    public const string Oracle = "gvenzl/oracle-free:23-slim-faststart";

    /// <summary>No tag of a version with DocumentDB 1.0, the oldest that the suite takes, was known.</summary>
    public const string DocumentDb = "ghcr.io/documentdb/documentdb/documentdb-local:latest";
}
