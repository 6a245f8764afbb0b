namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// What a notification of work says on Citus: the buckets in which its sender has left something, so that nobody has to look at all of
/// them. Those of signals come first, then a semicolon and those of messages: <c>8,31;5</c>. One that names none only ends waits.
/// </summary>
internal sealed class BucketHints(Buckets buckets, BucketTurns signals, BucketTurns messages)
{
    private const char BetweenBuckets = ',';
    private const char BeforeMessages = ';';

    /// <summary>What others have to know, once.</summary>
    public string Take()
    {
        var (ofSignals, ofMessages) = (signals.TakeUnannounced(), messages.TakeUnannounced());
        return Invariant($"{string.Join(BetweenBuckets, ofSignals)}{BeforeMessages}{string.Join(BetweenBuckets, ofMessages)}");
    }

    /// <summary>Follows a notification. One that nobody here would send, from another version perhaps, is about all buckets.</summary>
    public void Heard(string payload)
    {
        var parts = payload.Split(BeforeMessages);
        if (parts.Length != 2 || !TryRead(parts[0], out var ofSignals) || !TryRead(parts[1], out var ofMessages))
        {
            signals.LookNext();
            messages.LookNext();
            return;
        }

        ofSignals.ForEach(signals.Heard);
        ofMessages.ForEach(messages.MayBeDue);
    }

    /// <summary>Hears what comes over a connection from now on. What came before it listened is not known.</summary>
    public Task BeginListeningAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        connection.Notification += (_, notification) => Heard(notification.Payload);
        signals.LookNext();
        messages.LookNext();
        return Task.CompletedTask;
    }

    private bool TryRead(string list, out List<short> read)
    {
        read = [];
        foreach (var number in list.Split(BetweenBuckets, RemoveEmptyEntries))
        {
            if (!short.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out var bucket) || buckets.IndexOf(bucket) < 0)
                return false;
            read.Add(bucket);
        }

        return true;
    }
}
