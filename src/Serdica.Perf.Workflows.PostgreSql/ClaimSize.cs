namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// How many signals a claim asks for. One whose candidates have too many bytes takes the oldest alone, so the next ones ask
/// for fewer, and for a few more after each batch that is full. Shared by workers, for whom the exact number does not matter.
/// </summary>
internal sealed class ClaimSize
{
    private volatile int _size = int.MaxValue;

    public int Of(ClaimRequest request) => Math.Min(request.MaxSignals, _size);

    /// <returns>Whether more may be due than came.</returns>
    public bool Claimed(int asked, ClaimRequest request, ClaimedRows rows)
    {
        if (rows.IsCut)
            _size = Math.Max(1, asked / 4);
        else if (rows.Signals >= asked && asked < request.MaxSignals)
            _size = asked + 1 + (asked / 8);
        return rows.IsCut || rows.Signals >= asked;
    }
}
