namespace Serdica.Perf.Faults.History;

/// <summary>
/// Reads what the database holds when everything has come to rest, through the seam alone, and appends it to the history: the row of
/// each instance that the history names, the signals that open instances keep, dead letters, counts.
/// </summary>
internal static class FinalState
{
    private const int Page = 1_000;
    private const int Readers = 16;

    /// <summary>Writes the file <c>census</c> of the history. All other processes have ended.</summary>
    /// <param name="backend">Must read from the primary of the database.</param>
    /// <param name="time">The clock; that of the system by default.</param>
    /// <param name="cancellationToken">Ends the census; the history then has no final state.</param>
    public static async Task WriteAsync(
        IWorkflowBackend backend,
        string folder,
        TimeProvider? time = null,
        CancellationToken cancellationToken = default
    )
    {
        var files = HistoryFolder.Files(folder);
        // Several lines may lead to one instance.
        var written = new HashSet<Guid>();
        await using var history = new HistoryWriter(folder, "census", "census", time);
        foreach (var file in files)
        {
            using var reader = new HistoryReader(file);
            foreach (var page in Searches(reader).Chunk(Readers))
            {
                var found = await Task.WhenAll(page.Select(search => search(backend, cancellationToken)));
                foreach (var record in found.OfType<InstanceRecord>().Where(record => written.Add(record.Id)))
                    history.WriteAll([.. RowsOf(record)]);
            }
        }

        await WriteDeadLettersAsync(backend, history, cancellationToken);
        history.Write(new() { Kind = HistoryKind.Census, Census = CensusCounts.Of(await backend.TakeCensusAsync(cancellationToken)) });
    }

    /// <summary>
    /// How to find each instance once: a start by its acknowledgement, or by its business key when it had none; children and
    /// continuations by the line that announced them.
    /// </summary>
    private static IEnumerable<Func<IWorkflowBackend, CancellationToken, Task<InstanceRecord?>>> Searches(HistoryReader reader)
    {
        var open = new Dictionary<long, string>();
        while (reader.Read() is { Record: var record })
        {
            switch (record)
            {
                case { Kind: HistoryKind.Invoke, Call: CallKind.Start, BusinessKey: { } key }:
                    open[record.Operation] = key;
                    break;
                case { Kind: HistoryKind.Ack, Outcome: AckOutcome.Started or AckOutcome.Existing, Instance: { } id }:
                    open.Remove(record.Operation);
                    yield return (backend, token) => backend.FindAsync(id, token);
                    break;
                case { Kind: HistoryKind.Refused }:
                    open.Remove(record.Operation);
                    break;
                case { Kind: HistoryKind.Started, Instance: { } id }:
                    yield return (backend, token) => backend.FindAsync(id, token);
                    break;
            }
        }

        foreach (var key in open.Values)
            yield return (backend, token) => backend.FindByKeyAsync(key, token);
    }

    private static IEnumerable<HistoryRecord> RowsOf(InstanceRecord record)
    {
        var ledger = LedgerOf(record);
        yield return new()
        {
            Kind = HistoryKind.State,
            Instance = record.Id,
            Definition = record.Definition,
            BusinessKey = record.BusinessKey,
            Parent = record.ParentId,
            Status = record.Status,
            Waits = record.Waits,
            Version = record.Version,
            Detail = record.Error,
            Time = record.CreatedAt,
            Root = ledger?.Root,
            Ledger = ledger,
        };
        foreach (var key in KeptKeys(record.Progress))
        {
            yield return new()
            {
                Kind = HistoryKind.Pending,
                Instance = record.Id,
                Root = ledger?.Root,
                Key = key,
            };
        }
    }

    private static LedgerState? LedgerOf(InstanceRecord record) =>
        JsonSerializer.Deserialize(record.State, HistoryJson.Default.LedgerState);

    /// <summary>The engine's notes name the signals that came before their wait: <c>inbox</c>, payloads as base64.</summary>
    private static IEnumerable<string> KeptKeys(byte[]? progress)
    {
        if (progress is null)
            yield break;
        using var notes = JsonDocument.Parse(progress);
        if (!notes.RootElement.TryGetProperty("inbox", out var inbox) || inbox.ValueKind != JsonValueKind.Array)
            yield break;
        foreach (var kept in inbox.EnumerateArray())
        {
            if (kept.TryGetProperty("payload", out var payload) && KeyOf(payload.GetBytesFromBase64()) is { } key)
                yield return key;
        }
    }

    private static async Task WriteDeadLettersAsync(IWorkflowBackend backend, HistoryWriter history, CancellationToken cancellationToken)
    {
        DeadLetterPosition? after = null;
        while (true)
        {
            var query = new DeadLetterQuery { Limit = Page, After = after };
            var letters = await backend.ListDeadLettersAsync(query, cancellationToken);
            foreach (var letter in letters)
            {
                var owner = await backend.FindAsync(letter.Signal.InstanceId, cancellationToken);
                history.Write(
                    new()
                    {
                        Kind = HistoryKind.DeadLetter,
                        Instance = letter.Signal.InstanceId,
                        Root = owner is null ? null : LedgerOf(owner)?.Root,
                        Name = letter.Signal.Name,
                        Key = KeyOf(letter.Signal.Payload),
                        Reason = letter.Reason,
                        Attempts = letter.Signal.Attempt,
                        Detail = letter.Detail,
                    }
                );
            }

            if (letters.Count < Page)
                return;
            after = DeadLetterPosition.Of(letters[^1]);
        }
    }

    /// <returns>The key that a signal carries; <see langword="null"/> for one that carries something else.</returns>
    private static string? KeyOf(byte[] payload)
    {
        var json = new Utf8JsonReader(payload);
        try
        {
            return json.Read() && json.TokenType == JsonTokenType.String ? json.GetString() : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
