namespace Serdica.Perf.Faults.History;

/// <summary>
/// One sequence of calls of a client, each recorded before it is made, with its answer. Calls of one object are awaited one after
/// the other; objects of several names share a <see cref="WorkflowClient"/>.
/// </summary>
internal sealed class RecordingClient(WorkflowClient client, HistoryWriter history, string name)
{
    /// <summary>Starts an instance. The key goes into the state as <see cref="LedgerState.Origin"/>.</summary>
    /// <inheritdoc cref="WorkflowClient.StartAsync{TState}(string, TState, string?, CancellationToken)"/>
    /// <param name="definition">Name of a registered definition.</param>
    /// <param name="state">The first state.</param>
    /// <param name="key">The same for each repeat of this start, and of no other.</param>
    /// <param name="businessKey">Makes a repeat safe.</param>
    /// <param name="cancellationToken">Honoured until the instance is handed to the database.</param>
    public async Task<StartedInstance> StartAsync<TState>(
        string definition,
        TState state,
        string key,
        string? businessKey = null,
        CancellationToken cancellationToken = default
    )
        where TState : LedgerState
    {
        state.Origin = key;
        var operation = Invoke(
            new()
            {
                Kind = HistoryKind.Invoke,
                Call = CallKind.Start,
                Definition = definition,
                Key = key,
                BusinessKey = businessKey,
            }
        );
        try
        {
            var started = await client.StartAsync(definition, state, businessKey, cancellationToken);
            Answer(operation, started.IsNew ? AckOutcome.Started : AckOutcome.Existing, started.Id);
            return started;
        }
        catch (Exception e)
        {
            history.Write(Failure(operation, e));
            throw;
        }
    }

    /// <summary>Publishes a signal whose payload is its key.</summary>
    /// <inheritdoc cref="WorkflowClient.SignalAsync{TPayload}(Guid, string, TPayload, PublishOptions?, CancellationToken)"/>
    /// <param name="instanceId">The instance.</param>
    /// <param name="signal">Name of the signal.</param>
    /// <param name="key">The same for each repeat of this signal, and of no other.</param>
    /// <param name="options">Delay and dedup key.</param>
    /// <param name="cancellationToken">Honoured until the signal is handed to the database.</param>
    public Task<PublishOutcome> SignalAsync(
        Guid instanceId,
        string signal,
        string key,
        PublishOptions? options = null,
        CancellationToken cancellationToken = default
    ) =>
        PublishAsync(
            new()
            {
                Kind = HistoryKind.Invoke,
                Call = CallKind.Signal,
                Instance = instanceId,
                Name = signal,
                Key = key,
                DedupKey = options?.DedupKey,
                Delay = options?.Delay > TimeSpan.Zero ? (long)options.Delay.TotalMicroseconds : null,
            },
            () => client.SignalAsync(instanceId, signal, key, options, cancellationToken)
        );

    /// <summary>Asks for the cancellation of an instance; the key is the reason.</summary>
    public Task<PublishOutcome> CancelAsync(Guid instanceId, string key, CancellationToken cancellationToken = default) =>
        PublishAsync(
            new()
            {
                Kind = HistoryKind.Invoke,
                Call = CallKind.Cancel,
                Instance = instanceId,
                Key = key,
            },
            () => client.CancelAsync(instanceId, key, cancellationToken)
        );

    /// <summary>Waits until an instance is closed, and records it.</summary>
    public async Task<InstanceRecord> WaitForCloseAsync(Guid instanceId, CancellationToken cancellationToken = default)
    {
        var closed = await client.WaitForCloseAsync(instanceId, cancellationToken);
        history.Write(
            new()
            {
                Kind = HistoryKind.Close,
                Client = name,
                Instance = instanceId,
                Status = closed.Status,
                Version = closed.Version,
            }
        );
        return closed;
    }

    /// <summary>Reads the list of an instance, and records it; nothing when there is no such instance.</summary>
    public async Task ReadAsync<TState>(Guid instanceId, CancellationToken cancellationToken = default)
        where TState : LedgerState
    {
        if (await client.GetAsync<TState>(instanceId, cancellationToken) is not { } read)
            return;
        history.Write(
            new()
            {
                Kind = HistoryKind.Read,
                Client = name,
                Instance = instanceId,
                Version = read.Record.Version,
                Ledger = new LedgerState
                {
                    Root = read.State.Root,
                    Round = read.State.Round,
                    Applied = read.State.Applied,
                },
            }
        );
    }

    /// <summary>Refused when it is certain that nothing was written, else unknown.</summary>
    internal static HistoryRecord Failure(long operation, Exception error) =>
        new()
        {
            Kind = NothingWritten(error) ? HistoryKind.Refused : HistoryKind.Unknown,
            Operation = operation,
            Detail = DriverErrors.TextOf(error),
        };

    private async Task<PublishOutcome> PublishAsync(HistoryRecord invocation, Func<Task<PublishOutcome>> publish)
    {
        var operation = Invoke(invocation);
        try
        {
            var outcome = await publish();
            Answer(
                operation,
                outcome switch
                {
                    PublishOutcome.Accepted => AckOutcome.Accepted,
                    PublishOutcome.Duplicate => AckOutcome.Duplicate,
                    PublishOutcome.UnknownInstance => AckOutcome.UnknownInstance,
                    PublishOutcome.InstanceClosed => AckOutcome.InstanceClosed,
                    _ => throw new InvalidOperationException($"The engine answered a signal with {outcome}, which no history can hold."),
                },
                null
            );
            return outcome;
        }
        catch (Exception e)
        {
            history.Write(Failure(operation, e));
            throw;
        }
    }

    private long Invoke(HistoryRecord invocation)
    {
        var operation = history.NextOperation();
        history.Write(invocation with { Operation = operation, Client = name });
        return operation;
    }

    private void Answer(long operation, AckOutcome outcome, Guid? instance) =>
        history.Write(
            new()
            {
                Kind = HistoryKind.Ack,
                Operation = operation,
                Outcome = outcome,
                Instance = instance,
            }
        );

    private static bool NothingWritten(Exception error) =>
        error
            is WorkflowBackendException { NothingWritten: true }
                or BusinessKeyConflictException
                or UnknownDefinitionException
                or WorkflowStateException
                or PayloadTooLargeException
                or ArgumentException;
}
