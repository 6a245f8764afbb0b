namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>A server has refused a command, or could not be reached.</summary>
/// <param name="code">MongoDB's number of the error, see <see cref="DocumentErrors"/>; 0 for a lost connection.</param>
/// <param name="message">The server's words.</param>
/// <param name="isTransient">Whether the same command may succeed later; also known from the number.</param>
/// <param name="inner">The driver's exception.</param>
public sealed class DocumentCommandException(int code, string message, bool isTransient, Exception? inner = null)
    : Exception(message, inner)
{
    public int Code { get; } = code;

    public bool IsTransient { get; } = isTransient || DocumentErrors.IsTransient(code);

    /// <summary>The error came from a commit, or from a connection that may have lost a commit's answer.</summary>
    public bool MayBeWritten { get; init; }
}
