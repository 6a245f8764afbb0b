namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>What the statements of a batch that writes have answered.</summary>
internal sealed class WriteAnswers(int signals)
{
    /// <summary>The ids of the signals that were inserted.</summary>
    public HashSet<Guid> Inserted { get; } = new(signals);

    /// <summary>The time of the instances that were inserted without a business key; null without any.</summary>
    public DateTimeOffset? StartedAt { get; private set; }

    /// <summary>Executes a batch.</summary>
    public static async Task<WriteAnswers> ReadAsync(
        NpgsqlBatch batch,
        int signals,
        PostgreSqlClock clock,
        bool mayWait,
        CancellationToken cancellationToken
    )
    {
        var answers = new WriteAnswers(signals);
        var sentAt = clock.Timestamp;
        var reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await using (reader.ConfigureAwait(false))
        {
            do
            {
                if (await answers.ReadAsync(reader, cancellationToken).ConfigureAwait(false) is { } time)
                    clock.Set(time, sentAt, mayWait);
            } while (await reader.NextResultAsync(cancellationToken).ConfigureAwait(false));
        }

        return answers;
    }

    /// <summary>Reads the time of a statement that inserts instances; null when the next answer is that of another statement.</summary>
    public static async Task<DateTimeOffset?> ReadStartAsync(DbDataReader reader, CancellationToken cancellationToken)
    {
        if (reader.FieldCount != 1 || reader.GetFieldType(0) != typeof(DateTime))
            return null;
        await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
        var time = new DateTimeOffset(reader.GetDateTime(0));
        await reader.NextResultAsync(cancellationToken).ConfigureAwait(false);
        return time;
    }

    /// <summary>Statements that insert signals answer with ids, those that insert or update instances unread with the time.</summary>
    private async Task<DateTimeOffset?> ReadAsync(DbDataReader reader, CancellationToken cancellationToken)
    {
        if (reader.FieldCount == 0)
            return null;
        if (reader.FieldCount == 1 && reader.GetFieldType(0) == typeof(Guid))
        {
            while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                Inserted.Add(reader.GetGuid(0));
            return null;
        }

        if (reader.GetFieldType(0) != typeof(DateTime) || !await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
            return null;
        var time = new DateTimeOffset(reader.GetDateTime(0));
        if (reader.FieldCount == 1)
            StartedAt = time;
        return time;
    }
}
