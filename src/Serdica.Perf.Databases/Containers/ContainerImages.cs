namespace Serdica.Perf.Databases.Containers;

/// <summary>
/// The images that databases in containers are started from, pinned here and nowhere else (<c>eng/compose.yaml</c> is held
/// to them by a test). Each can be replaced, see <see cref="DatabaseEnvironment.ImageVariable"/>.
/// </summary>
/// <remarks>
/// The digests are those of the indexes of all platforms. No registry was available where this was written: each digest is the
/// one that several independent public repositories name for its tag. What a run really used is in its results.
/// </remarks>
internal static class ContainerImages
{
    public const string PostgreSql = "postgres:18.6@sha256:86c951e05bf56c93d95d397747fb8820ac76cc3bedb78f43abd83eedbe3666ae";

    public const string MongoDb = "mongo:8.0.32@sha256:4968f22d0c6c10ef29952f3e807f62872ba22b3312f25803564fbfc08255efc2";

    public const string Oracle =
        "gvenzl/oracle-free:23.26.3-slim-faststart@sha256:f5ff19033860d662c821cb04eb10483fa94f14f78eae252d054291ea07028093";

    /// <summary>On PostgreSQL 17; no digest of it was known.</summary>
    public const string Citus = "citusdata/citus:13.2.0";

    /// <summary>
    /// The first image with DocumentDB 1.0, the oldest that the suite takes; <c>latest</c> was still 0.117 when this was written.
    /// It is a release candidate whose tag may move, and no digest of it was known.
    /// </summary>
    public const string DocumentDb = "ghcr.io/documentdb/documentdb/documentdb-local:pg17-1.0.0";
}
