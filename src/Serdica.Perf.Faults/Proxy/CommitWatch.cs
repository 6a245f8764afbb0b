using System.Buffers.Binary;

namespace Serdica.Perf.Faults.Proxy;

/// <summary>
/// Reads both directions of a connection to PostgreSQL, or to DocumentDB on it, and says when the server has answered a commit of a
/// transaction that wrote something. An encrypted connection cannot be read: it has no commits.
/// </summary>
/// <remarks>
/// A request ends with Sync or is a simple query; its answer ends with ReadyForQuery, which comes after the commit and says whether a
/// transaction is still open. Statements without BEGIN and COMMIT are committed by the Sync itself.
/// </remarks>
internal sealed partial class CommitWatch
{
    private const int SslRequest = 80877103;
    private const int GssRequest = 80877104;

    private readonly Lock _gate = new();
    private readonly WireMessages _requests;
    private readonly WireMessages _answers;

    /// <summary>Prepared statements by name, the one without a name included, and whether they write.</summary>
    private readonly Dictionary<string, bool> _writes = new(StringComparer.Ordinal);

    /// <summary>Requests without an answer; the last one may be incomplete.</summary>
    private readonly LinkedList<Request> _open = [];

    private bool _isEncrypted;
    private bool _transactionWrites;
    private int _commits;

    public CommitWatch()
    {
        _requests = new(OnRequest) { IsTyped = false };
        _answers = new(OnAnswer) { OnSingleByte = answer => _isEncrypted = answer != 'N' };
    }

    /// <value>Whether the answer that is coming in may be that of a commit.</value>
    public bool MayCommit
    {
        get
        {
            lock (_gate)
                return !_isEncrypted && _open.First is { Value: var first } && (_transactionWrites || first.Writes);
        }
    }

    /// <summary>Bytes of the client, before they go on.</summary>
    public void Requested(ReadOnlySpan<byte> bytes)
    {
        lock (_gate)
        {
            if (!_isEncrypted)
                _requests.Read(bytes);
        }
    }

    /// <summary>Bytes of the server, before they go on.</summary>
    /// <returns>How many commits are complete with these bytes.</returns>
    public int Answered(ReadOnlySpan<byte> bytes)
    {
        lock (_gate)
        {
            _commits = 0;
            if (!_isEncrypted)
                _answers.Read(bytes);
            return _commits;
        }
    }

    /// <summary>Whether a statement changes rows. Those of the engine that lock rows with FOR UPDATE do not.</summary>
    [GeneratedRegex(
        @"\b(insert\s+into|delete\s+from|update\s+[\w.""]+(\s+(as\s+)?\w+)?\s+set)\b|documentdb_api\.(insert|update|delete)\s*\(",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant
    )]
    private static partial Regex Writes();

    private void OnRequest(char type, ReadOnlySpan<byte> body)
    {
        switch (type)
        {
            case '\0':
                if (body.Length >= 4 && BinaryPrimitives.ReadInt32BigEndian(body) is SslRequest or GssRequest)
                    _answers.SingleBytes++;
                else
                    _requests.IsTyped = true;
                break;
            case 'P':
                var name = Text(ref body);
                _writes[name] = Writes().IsMatch(Text(ref body));
                break;
            case 'B':
                Text(ref body);
                Last().Writes |= _writes.GetValueOrDefault(Text(ref body));
                break;
            case 'Q':
                Last().Writes |= Writes().IsMatch(Text(ref body));
                Last().IsComplete = true;
                break;
            case 'S':
                Last().IsComplete = true;
                break;
        }
    }

    private void OnAnswer(char type, ReadOnlySpan<byte> body)
    {
        if (_open.First is not { Value: var request })
            return;
        switch (type)
        {
            case 'E':
                request.IsUndone = true;
                break;
            case 'C' when body.StartsWith("ROLLBACK"u8):
                request.IsUndone = true;
                break;
            case 'Z':
                _open.RemoveFirst();
                _transactionWrites |= request.Writes;
                if (body is not [(byte)'I', ..])
                    break;
                if (_transactionWrites && !request.IsUndone)
                    _commits++;
                _transactionWrites = false;
                break;
        }
    }

    private Request Last()
    {
        if (_open.Last is { Value: { IsComplete: false } last })
            return last;
        return _open.AddLast(new Request()).Value;
    }

    private static string Text(ref ReadOnlySpan<byte> body)
    {
        var end = body.IndexOf((byte)0);
        var text = Encoding.UTF8.GetString(end < 0 ? body : body[..end]);
        body = end < 0 ? [] : body[(end + 1)..];
        return text;
    }

    private sealed class Request
    {
        public bool Writes { get; set; }

        public bool IsComplete { get; set; }

        /// <value>An error or ROLLBACK: what the transaction wrote is gone.</value>
        public bool IsUndone { get; set; }
    }
}
