using System.Data.Common;

namespace Serdica.Perf.Workflows.Oracle;

/// <summary>A commit has failed, or its answer was lost: what it was to write may be durable.</summary>
internal sealed class OracleCommitException(Exception cause) : DbException(cause.Message, cause);
