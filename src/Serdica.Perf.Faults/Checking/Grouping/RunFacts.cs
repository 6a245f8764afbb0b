namespace Serdica.Perf.Faults.Checking.Grouping;

/// <summary>What a history says of the run as a whole, gathered while its lines are distributed. Its size does not depend on the
/// number of operations.</summary>
internal sealed class RunFacts
{
    /// <summary>Successes are counted in slices of this length.</summary>
    private const long Slice = 100_000;

    private readonly Dictionary<string, DateTimeOffset> _zeros = new(StringComparer.Ordinal);
    private readonly Dictionary<long, long> _successes = [];

    public HistoryLimits Limits { get; private set; } = new();

    /// <summary>The counts of the database at the end; null when the history has none.</summary>
    public HistoryLine? Census { get; private set; }

    public List<HistoryLine> Faults { get; } = [];

    public List<HistoryLine> Gauges { get; } = [];

    /// <summary>Callers that gave up.</summary>
    public List<HistoryLine> GaveUp { get; } = [];

    /// <summary>Files whose last line was torn.</summary>
    public List<string> Torn { get; } = [];

    public long Lines { get; private set; }

    public long Operations { get; private set; }

    /// <summary>Turns that hosts have recorded; none when no host recorded its turns.</summary>
    public long Turns { get; private set; }

    /// <summary>Answers that left the outcome unknown.</summary>
    public long UnknownOutcomes { get; private set; }

    /// <summary>Operations whose outcome nobody knows.</summary>
    public long WithoutAnswer { get; set; }

    public void See(HistoryLine line)
    {
        Lines++;
        var record = line.Record;
        switch (record.Kind)
        {
            case HistoryKind.Process:
                _zeros[line.Process] = record.Time ?? throw new InvalidDataException($"{line.Process}:1 has no time.");
                break;
            case HistoryKind.Invoke:
                Operations++;
                break;
            case HistoryKind.Turn:
                Turns++;
                break;
            case HistoryKind.Unknown:
                UnknownOutcomes++;
                break;
            case HistoryKind.Ack when record.Outcome is AckOutcome.Started or AckOutcome.Accepted:
                var slice = WallTime(line) / Slice;
                _successes[slice] = _successes.GetValueOrDefault(slice) + 1;
                break;
            case HistoryKind.Limits:
                Limits = record.Limits ?? Limits;
                break;
            case HistoryKind.Census:
                Census = Keep(line);
                break;
            case HistoryKind.Fault:
                Faults.Add(Keep(line));
                break;
            case HistoryKind.Gauge:
                Gauges.Add(Keep(line));
                break;
            case HistoryKind.GaveUp:
                GaveUp.Add(Keep(line));
                break;
        }
    }

    /// <summary>The end of a fault by its beginning; null when the history has none.</summary>
    public HistoryLine? EndOf(HistoryLine began) =>
        Faults.Find(fault =>
            fault.Record.Phase == HistoryPhase.Done && fault.Process == began.Process && fault.Record.Operation == began.Record.Operation
        );

    /// <summary>Microseconds since 1970 by the wall clock that the process read once, and its monotonic clock since.</summary>
    public long WallTime(HistoryLine line) =>
        (_zeros[line.Process].UtcTicks - DateTimeOffset.UnixEpoch.UtcTicks) / TimeSpan.TicksPerMicrosecond + line.Record.At;

    /// <summary>Successful operations of clients whose answers came between two wall times: those of the whole slices within.</summary>
    public long SuccessesBetween(long from, long to)
    {
        var sum = 0L;
        for (var slice = (from + Slice - 1) / Slice; (slice + 1) * Slice <= to; slice++)
            sum += _successes.GetValueOrDefault(slice);
        return sum;
    }

    private static HistoryLine Keep(HistoryLine line) => line with { Text = line.Text.ToArray() };
}
