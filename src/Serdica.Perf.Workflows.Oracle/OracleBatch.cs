using System.Buffers;

namespace Serdica.Perf.Workflows.Oracle;

/// <summary>
/// Items for the package's write_batch, packed into as few documents as hold them: one call each. Most batches are one
/// document, and one round trip.
/// </summary>
internal sealed class OracleBatch
{
    /// <summary>A content up to this size goes with its document; a larger one is appended in pieces.</summary>
    public const int MaxInline = 16_000;

    /// <summary>What the package reserves in its answer for a refused start, apart from its owner's definition.</summary>
    private const int ResultLength = 100;

    private readonly List<OracleDocument> _documents = [];
    private readonly List<LargeContent> _large = [];
    private readonly Dictionary<int, OracleResult> _results = [];
    private readonly ArrayBufferWriter<byte> _buffer = new(512);
    private int _count;

    public bool IsEmpty => _count == 0;

    /// <summary>Whether one call is not enough, so that a transaction must hold several together.</summary>
    public bool NeedsTransaction => _documents.Count > 1 || _large.Count > 0;

    /// <summary>What became of an item, by its place.</summary>
    public OracleResult this[int item] => _results.GetValueOrDefault(item);

    public int Start(InstanceRecord instance) => AddInstance("start", instance, starterId: null);

    public int Child(InstanceRecord child, Guid starterId) => AddInstance("child", child, starterId);

    public int CopyKeys(Continuation continuation) => Add(_count, [], json =>
        {
            json.WriteString("op"u8, "copy"u8);
            json.WriteString("instance"u8, OracleText.Hex(continuation.To));
            json.WriteString("from"u8, OracleText.Hex(continuation.From));
        });

    public int Update(InstanceRecord instance, long expectedVersion)
    {
        var content = OracleContents.Of(instance);
        var item = AddLarge("instance", instance.Id, instance.Id, content);
        return Add(item, content, json =>
        {
            json.WriteString("op"u8, "update"u8);
            json.WriteString("id"u8, OracleText.Hex(instance.Id));
            json.WriteNumber("expected"u8, expectedVersion);
            WriteStanding(json, instance);
        });
    }

    public int Send(Signal signal)
    {
        var content = OracleContents.Of(signal);
        var item = AddLarge("signal", signal.InstanceId, signal.Id, content);
        return Add(item, content, json =>
        {
            json.WriteString("op"u8, "send"u8);
            json.WriteString("instance"u8, OracleText.Hex(signal.InstanceId));
            WriteSignal(json, signal, content);
        });
    }

    public int Publish(SignalSubmission submission)
    {
        var signal = submission.Signal;
        var content = OracleContents.Of(signal);
        var item = AddLarge("signal", signal.InstanceId, signal.Id, content);
        return Add(item, content, json =>
        {
            json.WriteString("op"u8, "publish"u8);
            if (submission.BusinessKey is { } key)
                json.WriteString("key"u8, OracleText.Hex(key));
            else
                json.WriteString("instance"u8, OracleText.Hex(signal.InstanceId));
            if (submission.DedupKey is { } dedupKey)
                json.WriteString("dedup"u8, OracleText.Hex(dedupKey));
            WriteSignal(json, signal, content);
        });
    }

    public int Withdraw(Guid instanceId, Guid signalId) => AddKey("withdraw", instanceId, signalId);

    /// <summary>Removes the large content of a signal that was claimed.</summary>
    public int Forget(Guid instanceId, Guid signalId) => AddKey("forget", instanceId, signalId);

    public int Bury(DeadLetter letter)
    {
        var content = OracleContents.Of(letter.Signal);
        var detail = OracleText.Raw(letter.Detail);
        var item = AddLarge("letter", letter.Signal.InstanceId, letter.Signal.Id, content);
        return Add(
            item,
            content,
            json =>
            {
                json.WriteString("op"u8, "dead"u8);
                json.WriteString("instance"u8, OracleText.Hex(letter.Signal.InstanceId));
                json.WriteString("id"u8, OracleText.Hex(letter.Signal.Id));
                json.WriteNumber("kind"u8, (int)letter.Signal.Kind);
                json.WriteNumber("attempt"u8, letter.Signal.Attempt);
                json.WriteNumber("reason"u8, (int)letter.Reason);
                json.WriteNumber("detail"u8, detail.Length);
            },
            detail
        );
    }

    public int Requeue(Guid signalId) => Add(_count, [], json =>
        {
            json.WriteString("op"u8, "requeue"u8);
            json.WriteString("id"u8, OracleText.Hex(signalId));
        });

    public int Extend(ActivityLease lease, TimeSpan duration) => Add(_count, [], json =>
        {
            json.WriteString("op"u8, "extend"u8);
            json.WriteString("instance"u8, OracleText.Hex(lease.InstanceId));
            json.WriteString("id"u8, OracleText.Hex(lease.ActivityId));
            json.WriteNumber("attempt"u8, lease.Token);
            json.WriteNumber("delay"u8, OracleTime.Microseconds(duration));
        });

    public int Message(Message message)
    {
        var content = OracleContents.Of(message);
        return Add(_count, content, json =>
        {
            json.WriteString("op"u8, "message"u8);
            json.WriteString("id"u8, OracleText.Hex(message.Id));
            WriteDue(json, message.Due);
        });
    }

    /// <summary>Executes the calls; the caller begins and commits the transaction.</summary>
    /// <returns>False when an instance had another version than expected: the caller must roll back.</returns>
    public async Task<bool> WriteAsync(OracleSession session, CancellationToken cancellationToken)
    {
        // One time for all documents: what is due at once comes in the order of the ids, not in that of the calls.
        long? since = null;
        foreach (var document in _documents)
        {
            var output = await session
                .ExecuteAsync(OracleStatement.WriteBatch, [document.Items(), document.Contents(), since], cancellationToken)
                .ConfigureAwait(false);
            since = output.Number(0);
            if (output.Number(1) != 0)
                return false;
            ReadResults(document, output.Bytes(2));
        }

        foreach (var large in _large)
            await AppendAsync(session, large, cancellationToken).ConfigureAwait(false);
        return true;
    }

    private async Task AppendAsync(OracleSession session, LargeContent large, CancellationToken cancellationToken)
    {
        // A signal that was refused has no place; one that was named by a business key has got its instance's id.
        var result = this[large.Item];
        if (result.Outcome != 0)
            return;
        var instanceId = result.Id == default ? large.InstanceId : result.Id;
        foreach (var chunk in large.Content.Chunk(OracleBind.MaxRaw))
        {
            await session
                .ExecuteAsync(
                    OracleStatement.AppendContent,
                    [large.Target, OracleText.Raw(instanceId), OracleText.Raw(large.SignalId), chunk],
                    cancellationToken
                )
                .ConfigureAwait(false);
        }
    }

    private int AddInstance(string op, InstanceRecord instance, Guid? starterId)
    {
        var content = OracleContents.Of(instance);
        var item = AddLarge("instance", instance.Id, instance.Id, content);
        var definition = OracleText.Hex(instance.Definition);
        return Add(
            item,
            content,
            json =>
            {
                json.WriteString("op"u8, op);
                json.WriteString("id"u8, OracleText.Hex(instance.Id));
                if (instance.ParentId is { } parentId)
                    json.WriteString("parent"u8, OracleText.Hex(parentId));
                if (starterId is { } starter)
                    json.WriteString("starter"u8, OracleText.Hex(starter));
                if (instance.BusinessKey is { } key)
                    json.WriteString("key"u8, OracleText.Hex(key));
                json.WriteString("definition"u8, definition);
                WriteStanding(json, instance);
            },
            resultLength: instance.BusinessKey is null ? 0 : ResultLength + definition.Length
        );
    }

    private int AddKey(string op, Guid instanceId, Guid signalId) => Add(_count, [], json =>
        {
            json.WriteString("op"u8, op);
            json.WriteString("instance"u8, OracleText.Hex(instanceId));
            json.WriteString("id"u8, OracleText.Hex(signalId));
        });

    /// <summary>Notes a content that is too large for a document.</summary>
    private int AddLarge(string target, Guid instanceId, Guid signalId, byte[] content)
    {
        if (content.Length > MaxInline)
            _large.Add(new LargeContent(_count, target, instanceId, signalId, content));
        return _count;
    }

    private int Add(int item, byte[] content, Action<Utf8JsonWriter> write, byte[]? detail = null, int resultLength = ResultLength)
    {
        var inline = content.Length <= MaxInline ? content : [];
        _buffer.ResetWrittenCount();
        using (var json = new Utf8JsonWriter(_buffer))
        {
            json.WriteStartObject();
            write(json);
            if (inline.Length > 0)
                json.WriteNumber("content"u8, inline.Length);
            json.WriteEndObject();
        }

        var document = _documents.Count == 0 ? null : _documents[^1];
        if (document is null || !document.HasRoomFor(_buffer.WrittenCount, inline.Length + (detail?.Length ?? 0), resultLength))
            _documents.Add(document = new OracleDocument(item));
        document.Add(_buffer.WrittenSpan, inline, detail ?? [], resultLength);
        _count++;
        return item;
    }

    private static void WriteStanding(Utf8JsonWriter json, InstanceRecord instance)
    {
        json.WriteNumber("definitionVersion"u8, instance.DefinitionVersion);
        json.WriteNumber("version"u8, instance.Version);
        json.WriteNumber("status"u8, (int)instance.Status);

        // A closed instance has progress when it was continued.
        var isContinued = instance.Status.IsClosed() && instance.Progress is not null;
        json.WriteNumber("waits"u8, (int)(isContinued ? instance.Waits | OracleContents.Continued : instance.Waits));
    }

    private static void WriteSignal(Utf8JsonWriter json, Signal signal, byte[] content)
    {
        json.WriteString("id"u8, OracleText.Hex(signal.Id));
        json.WriteNumber("kind"u8, (int)signal.Kind);
        json.WriteNumber("attempt"u8, signal.Attempt);
        WriteDue(json, signal.Due);
        if (content.Length > MaxInline)
            json.WriteNumber("large"u8, content.Length);
    }

    private static void WriteDue(Utf8JsonWriter json, Due due)
    {
        if (due.At is { } time)
            json.WriteNumber("due"u8, OracleTime.Microseconds(time));
        else if (!due.IsNow)
            json.WriteNumber("delay"u8, OracleTime.Microseconds(due.Delay));
    }

    private void ReadResults(OracleDocument document, byte[] results)
    {
        using var json = JsonDocument.Parse(results);
        foreach (var result in json.RootElement.EnumerateArray())
        {
            _results[document.FirstItem + result.GetProperty("n"u8).GetInt32()] = new OracleResult(
                result.GetProperty("outcome"u8).GetInt32(),
                result.TryGetProperty("id"u8, out var id) ? OracleText.Id(id.GetString()!) : default,
                result.TryGetProperty("definition"u8, out var definition)
                    ? OracleText.Key(Convert.FromHexString(definition.GetString()!))
                    : null
            );
        }
    }

    private sealed record LargeContent(int Item, string Target, Guid InstanceId, Guid SignalId, byte[] Content);
}

/// <summary>What the package tells of one item of a batch; of most there is nothing to tell.</summary>
/// <param name="Outcome">0 when it was done as asked; otherwise by the kind of item.</param>
/// <param name="Id">For a refused start, the owner of the business key. For a large signal, its instance.</param>
/// <param name="Definition">For a refused start, the owner's definition.</param>
internal readonly record struct OracleResult(int Outcome, Guid Id = default, string? Definition = null);
