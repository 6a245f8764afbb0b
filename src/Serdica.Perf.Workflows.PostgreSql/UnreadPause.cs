namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Lets batches read their instances for a while after one that relied on what the host knew was refused: where other hosts change the
/// same instances, most of these batches would be. The pause doubles each time and ends with the first batch that is not refused. Lost
/// counts of concurrent batches do no harm.
/// </summary>
internal sealed class UnreadPause
{
    private const int Shortest = 16;
    private const int Longest = 4_096;

    private int _length;
    private int _left;
    private long _unread;
    private long _refused;

    /// <summary>Batches that did not read their instances, those that were refused included.</summary>
    public long Unread => Interlocked.Read(ref _unread);

    public long Refused => Interlocked.Read(ref _refused);

    /// <summary>Counts a batch.</summary>
    /// <returns>Whether it is to read its instances.</returns>
    public bool Skips()
    {
        if (_left <= 0)
            return false;
        _left--;
        return true;
    }

    /// <summary>A batch did not read its instances.</summary>
    public void Tried(bool isRefused)
    {
        Interlocked.Increment(ref _unread);
        if (isRefused)
            Interlocked.Increment(ref _refused);
        _length = isRefused ? Math.Clamp(2 * _length, Shortest, Longest) : 0;
        _left = _length;
    }
}
