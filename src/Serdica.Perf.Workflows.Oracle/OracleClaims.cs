using Microsoft.Extensions.Logging;

namespace Serdica.Perf.Workflows.Oracle;

/// <summary>Claim, load, decide and write in one transaction: a call that claims, one that writes, a commit.</summary>
internal sealed partial class OracleClaims(OracleConnections connections, string prefix, ILogger logger, TimeProvider time)
{
    /// <summary>A message that is lost stays so until somebody acts; each look would say it again.</summary>
    private static readonly TimeSpan WarningInterval = FromMinutes(1);

    private long _quietUntil = long.MinValue;

    public async Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken)
    {
        try
        {
            return await connections
                .UseAsync(session => ProcessAsync(session, request, decide, cancellationToken), cancellationToken)
                .ConfigureAwait(false);
        }
        catch (Exception e) when (OracleErrors.IsDriverError(e) && OracleErrors.KindOf(e) == OracleErrorKind.Transient)
        {
            // Not a unique constraint: a race for a key is lost once, and an instance that always breaks one must be found.
            return new ProcessOutcome(0, Conflict: true);
        }
    }

    private async Task<ProcessOutcome> ProcessAsync(
        OracleSession session,
        ClaimRequest request,
        DecideBatch decide,
        CancellationToken cancellationToken
    )
    {
        await session.BeginAsync(cancellationToken).ConfigureAwait(false);
        var output = await session
            .ExecuteAsync(
                OracleStatement.ClaimBatch,
                [(long)request.MaxSignals, request.MaxBytes, request.SkipActivities ? 1L : 0L, request.OneInstance ? 1L : 0L],
                cancellationToken
            )
            .ConfigureAwait(false);
        WarnOfMissing(output.Number(2));
        var claim = Read(output);
        if (claim.Instances.Count == 0)
        {
            // Signals of instances that have been purged were dropped.
            await session.CommitAsync().ConfigureAwait(false);
            return new ProcessOutcome(0, NextDue: OracleTime.Delay(output.Number(1)));
        }

        var batch = new OracleBatch();
        var claimed = await LoadAsync(session, claim, batch, cancellationToken).ConfigureAwait(false);
        var writes = new OracleWrites(batch);
        foreach (var decision in await decide(claimed).ConfigureAwait(false))
            writes.AddUpdate(decision);
        writes.Append();

        cancellationToken.ThrowIfCancellationRequested();
        if (!await batch.WriteAsync(session, CancellationToken.None).ConfigureAwait(false))
        {
            await session.RollbackAsync().ConfigureAwait(false);
            return new ProcessOutcome(0, Conflict: true);
        }

        await session.CommitAsync().ConfigureAwait(false);
        return new ProcessOutcome(
            claimed.Instances.Sum(static instance => instance.Signals.Count),
            NextDue: OracleTime.Delay(output.Number(1))
        );
    }

    /// <summary>Turns rows and contents into what is decided, and notes the large contents that the batch uses up.</summary>
    private static async Task<ClaimedBatch> LoadAsync(
        OracleSession session,
        Claim claim,
        OracleBatch batch,
        CancellationToken cancellationToken
    )
    {
        var instances = new List<ClaimedInstance>(claim.Instances.Count);
        foreach (var row in claim.Instances)
        {
            var content = row.Content
                ?? await ReadLargeAsync(session, OracleStatement.LargeInstance, [OracleText.Raw(row.Instance.Id)], cancellationToken)
                    .ConfigureAwait(false);
            var claimed = new ClaimedInstance(OracleContents.ReadInstance(row.Instance, content));
            foreach (var signal in row.Signals)
            {
                var signalContent = signal.Content;
                if (signalContent is null)
                {
                    signalContent = await ReadLargeAsync(
                            session,
                            OracleStatement.LargeSignal,
                            [OracleText.Raw(row.Instance.Id), OracleText.Raw(signal.Id)],
                            cancellationToken
                        )
                        .ConfigureAwait(false);
                    batch.Forget(row.Instance.Id, signal.Id);
                }

                var (name, payload) = OracleContents.ReadSignal(signalContent);
                claimed.Signals.Add(
                    new Signal
                    {
                        InstanceId = row.Instance.Id,
                        Id = signal.Id,
                        Due = Due.AtTime(signal.Due),
                        Attempt = signal.Attempt,
                        Kind = signal.Kind,
                        Name = name,
                        Payload = payload,
                    }
                );
            }

            instances.Add(claimed);
        }

        return new ClaimedBatch(claim.Now, instances);
    }

    private static async Task<byte[]> ReadLargeAsync(
        OracleSession session,
        OracleStatement statement,
        object?[] key,
        CancellationToken cancellationToken
    )
    {
        var rows = await session
            .QueryAsync(statement, key, static reader => (byte[])reader.GetValue(0), cancellationToken)
            .ConfigureAwait(false);
        return rows[0];
    }

    private void WarnOfMissing(long missing)
    {
        var (now, quietUntil) = (time.GetTimestamp(), Interlocked.Read(ref _quietUntil));
        if (missing == 0 || now < quietUntil)
            return;
        var next = now + (long)(WarningInterval.TotalSeconds * time.TimestampFrequency);
        if (Interlocked.CompareExchange(ref _quietUntil, next, quietUntil) == quietUntil)
            MessagesAreMissing(logger, missing, prefix);
    }

    [LoggerMessage(
        1,
        LogLevel.Warning,
        "AQ did not return the messages of {Missing} due signal(s) of store {Prefix}. The signals stay due and will be tried again. If "
            + "this continues, see 'Signals without a message' in docs/oracle-first-run.md"
    )]
    private static partial void MessagesAreMissing(ILogger logger, long missing, string prefix);

    private static Claim Read(OracleOutput output)
    {
        var contents = new OracleContentReader(output.Bytes(4));
        using var json = JsonDocument.Parse(output.Bytes(3));
        var instances = new List<InstanceRow>();
        foreach (var element in json.RootElement.EnumerateArray())
        {
            var instance = new OracleInstanceRow(
                OracleText.Id(element.GetProperty("id"u8).GetString()!),
                element.TryGetProperty("parent"u8, out var parent) ? OracleText.Id(parent.GetString()!) : null,
                element.TryGetProperty("key"u8, out var key) ? OracleText.Key(Convert.FromHexString(key.GetString()!)) : null,
                element.GetProperty("version"u8).GetInt64(),
                (InstanceStatus)element.GetProperty("status"u8).GetInt32(),
                (WaitKinds)element.GetProperty("waits"u8).GetInt32(),
                OracleTime.Time(element.GetProperty("created"u8).GetInt64()),
                OracleTime.Time(element.GetProperty("updated"u8).GetInt64())
            );
            var content = contents.Next(element);
            instances.Add(
                new InstanceRow(
                    instance,
                    content,
                    [
                        .. element
                            .GetProperty("signals"u8)
                            .EnumerateArray()
                            .Select(signal => new SignalRow(
                                OracleText.Id(signal.GetProperty("id"u8).GetString()!),
                                OracleTime.Time(signal.GetProperty("due"u8).GetInt64()),
                                (SignalKind)signal.GetProperty("kind"u8).GetInt32(),
                                signal.GetProperty("attempt"u8).GetInt32(),
                                contents.Next(signal)
                            )),
                    ]
                )
            );
        }

        return new Claim(OracleTime.Time(output.Number(0)), instances);
    }

    private sealed record Claim(DateTimeOffset Now, List<InstanceRow> Instances);

    /// <param name="Instance">What the columns hold.</param>
    /// <param name="Content">Null when it is large and must be asked for.</param>
    /// <param name="Signals">In order.</param>
    private sealed record InstanceRow(OracleInstanceRow Instance, byte[]? Content, List<SignalRow> Signals);

    private sealed record SignalRow(Guid Id, DateTimeOffset Due, SignalKind Kind, int Attempt, byte[]? Content);
}
