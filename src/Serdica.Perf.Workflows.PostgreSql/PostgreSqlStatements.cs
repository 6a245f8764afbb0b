namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>The hot statements of one session, with the engine's records as their rows.</summary>
internal sealed class PostgreSqlStatements
{
    private readonly NpgsqlBatchCommand _claim;
    private readonly NpgsqlBatchCommand _filteredClaim;
    private readonly NpgsqlBatchCommand _receive;
    private readonly NpgsqlBatchCommand _held;
    private readonly List<NpgsqlBatchCommand> _hold = [];
    private readonly List<NpgsqlBatchCommand> _overdue = [];
    private readonly PostgreSqlScripts _scripts;
    private readonly Buckets? _buckets;

    /// <param name="pins">The limits that each transaction sets for itself, where it does.</param>
    public PostgreSqlStatements(PostgreSqlScripts scripts, PostgreSqlConnectionSettings? pins)
    {
        (_scripts, _buckets) = (scripts, scripts.Buckets);
        _claim = Claiming(scripts["claim"]);
        _claim.Parameters.Add(new NpgsqlParameter<long> { NpgsqlDbType = NpgsqlDbType.Bigint });
        AddBucket(_claim);
        _filteredClaim = Claiming(scripts.FilteredClaim);
        _filteredClaim.Parameters.Add(new NpgsqlParameter<long> { NpgsqlDbType = NpgsqlDbType.Bigint });
        _filteredClaim.Parameters.Add(new NpgsqlParameter<bool> { NpgsqlDbType = NpgsqlDbType.Boolean });
        _filteredClaim.Parameters.Add(new NpgsqlParameter<string[]> { NpgsqlDbType = NpgsqlDbType.Array | NpgsqlDbType.Text });
        _filteredClaim.Parameters.Add(new NpgsqlParameter<int[]> { NpgsqlDbType = NpgsqlDbType.Array | NpgsqlDbType.Integer });
        AddBucket(_filteredClaim);
        _receive = AddBucket(Claiming(scripts["receive-messages"]));
        _held = OfInstances(scripts["held"]);
        _held.Parameters.Add(new NpgsqlParameter<DateTime[]> { NpgsqlDbType = NpgsqlDbType.Array | NpgsqlDbType.TimestampTz });
        _held.Parameters.Add(new NpgsqlParameter<Guid[]> { NpgsqlDbType = NpgsqlDbType.Array | NpgsqlDbType.Uuid });
        AddBucket(_held);

        // Our own sessions read what is committed by default; a pooler's may have another level.
        Begin = new NpgsqlBatchCommand(pins is null ? "begin" : "begin isolation level read committed");
        DueSignals = new NpgsqlBatchCommand(scripts["due-signals"]);
        DueMessages = new NpgsqlBatchCommand(scripts["due-messages"]);
        NextDue = new NpgsqlBatchCommand(scripts["next-due"]);
        NextMessage = new NpgsqlBatchCommand(scripts["next-message"]);
        PinPlans = new NpgsqlBatchCommand(scripts["pin-plans"]);
        if (pins is not null)
        {
            PinPlans.Parameters.AddValue(NpgsqlDbType.Text, pins.StatementLimit);
            PinPlans.Parameters.AddValue(NpgsqlDbType.Text, pins.LockLimit);
            PinPlans.Parameters.AddValue(NpgsqlDbType.Text, pins.IdleInTransactionLimit);
        }

        ExtendLeases = scripts["extend-leases"];
        Start = AddInstance(New<InstanceRecord>("start", instance => _buckets!.Of(instance.Id)), static instance => instance);
        StartKeyed = AddInstance(New<InstanceRecord>("start-keyed", instance => _buckets!.OfKeyed(instance)), static instance => instance);
        StartChildren = AddInstance(
                New<StartedChild>("start-children", child => _buckets!.OfBoth(child.Starter, child.Instance.Id)),
                static child => child.Instance
            )
            .Column(NpgsqlDbType.Uuid, static child => child.Starter);
        Update = AddUpdate(
            New<HeldUpdate>("update", update => _buckets!.Of(update.Instance.Id)).Column(NpgsqlDbType.Text, static u => u.Place),
            static update => update.Decision
        );
        UpdateUnread = AddUpdate(New<Decision>("update-unread", decision => _buckets!.Of(decision.Instance!.Id)), static decision =>
            decision
        );
        Send = AddSignal(New<Signal>("send", signal => _buckets!.Of(signal.InstanceId)), static signal => signal)
            .Column(NpgsqlDbType.Boolean, static _ => false);
        Publish = AddSignal(New<Receiver>("send", receiver => _buckets!.Of(receiver.Signal.InstanceId)), static receiver => receiver.Signal)
            .Column(NpgsqlDbType.Boolean, static receiver => receiver.Submission.DedupKey is null);
        PublishOnce = AddSignal(new PostgreSqlStatement<Receiver>(scripts["send-once"]), static receiver => receiver.Signal)
            .Column(NpgsqlDbType.Text, static receiver => receiver.Submission.DedupKey);
        AcceptKeys = New<Receiver>("accept-keys", receiver => _buckets!.Of(receiver.Signal.InstanceId))
            .Column(NpgsqlDbType.Uuid, static receiver => receiver.Signal.InstanceId)
            .Column(NpgsqlDbType.Text, static receiver => receiver.Submission.DedupKey);
        Withdraw = New<WithdrawnSignal>("withdraw", signal => _buckets!.Of(signal.InstanceId))
            .Column(NpgsqlDbType.Uuid, static signal => signal.InstanceId)
            .Column(NpgsqlDbType.Uuid, static signal => signal.SignalId);
        Bury = New<DeadLetter>("dead-letter", letter => _buckets!.Of(letter.Signal.InstanceId))
            .Column(NpgsqlDbType.Uuid, static letter => letter.Signal.Id)
            .Column(NpgsqlDbType.Uuid, static letter => letter.Signal.InstanceId)
            .Column(NpgsqlDbType.Integer, static letter => letter.Signal.Attempt)
            .Column(NpgsqlDbType.Smallint, static letter => (short)letter.Signal.Kind)
            .Column(NpgsqlDbType.Smallint, static letter => (short)letter.Reason)
            .Column(NpgsqlDbType.Text, static letter => letter.Signal.Name)
            .Column(NpgsqlDbType.Text, static letter => Text(letter.Detail))
            .Column(NpgsqlDbType.Bytea, static letter => letter.Signal.Payload);
        CopyKeys = New<Continuation>("copy-keys", continuation => _buckets!.OfBoth(continuation.From, continuation.To))
            .Column(NpgsqlDbType.Uuid, static continuation => continuation.From)
            .Column(NpgsqlDbType.Uuid, static continuation => continuation.To);
        SendMessages = New<Message>("send-messages", message => _buckets!.Of(message.Id))
            .Column(NpgsqlDbType.Uuid, static message => message.Id)
            .Column(NpgsqlDbType.TimestampTz, static message => PostgreSqlTime.AtOf(message.Due))
            .Column(NpgsqlDbType.Interval, static message => PostgreSqlTime.DelayOf(message.Due))
            .Column(NpgsqlDbType.Bytea, static message => message.Payload);
        Existing = New<string>("existing", key => _buckets!.Of(key)).Column(NpgsqlDbType.Text, static key => key);
        Receivers = New<Receiver>("receivers", receiver => _buckets!.Of(receiver.Signal.InstanceId))
            .Column(NpgsqlDbType.Uuid, static receiver => receiver.Signal.InstanceId)
            .Column(NpgsqlDbType.Text, static receiver => receiver.Submission.DedupKey);
    }

    public NpgsqlBatchCommand Begin { get; }

    public NpgsqlBatchCommand Commit { get; } = new("commit");

    public NpgsqlBatchCommand RollBack { get; } = new("rollback");

    public NpgsqlBatchCommand PinPlans { get; }

    /// <summary>Not bound to a session: it is rare.</summary>
    public string ExtendLeases { get; }

    /// <summary>Which buckets have due signals, and when each has the next; only where there are buckets.</summary>
    public NpgsqlBatchCommand DueSignals { get; }

    /// <inheritdoc cref="DueSignals"/>
    public NpgsqlBatchCommand DueMessages { get; }

    public NpgsqlBatchCommand NextDue { get; }

    public NpgsqlBatchCommand NextMessage { get; }

    /// <summary>Instances without a business key.</summary>
    public PostgreSqlStatement<InstanceRecord> Start { get; }

    /// <summary>Instances with a business key, which may be taken.</summary>
    public PostgreSqlStatement<InstanceRecord> StartKeyed { get; }

    public PostgreSqlStatement<StartedChild> StartChildren { get; }

    public PostgreSqlStatement<HeldUpdate> Update { get; }

    /// <summary>Instances that the transaction does not hold.</summary>
    public PostgreSqlStatement<Decision> UpdateUnread { get; }

    /// <summary>The engine's own signals.</summary>
    public PostgreSqlStatement<Signal> Send { get; }

    /// <summary>Signals from outside. One with a dedup key has been accepted by <see cref="AcceptKeys"/> already.</summary>
    public PostgreSqlStatement<Receiver> Publish { get; }

    /// <summary>Signals from outside, some of them with a dedup key.</summary>
    public PostgreSqlStatement<Receiver> PublishOnce { get; }

    /// <summary>
    /// The buckets that statements name; null without. Where there are some, dedup keys are always accepted before their signals are
    /// stored: Citus does not take <see cref="PublishOnce"/>.
    /// </summary>
    public Buckets? Buckets => _buckets;

    /// <summary>Dedup keys of signals that are decided or stored later in the transaction.</summary>
    public PostgreSqlStatement<Receiver> AcceptKeys { get; }

    public PostgreSqlStatement<WithdrawnSignal> Withdraw { get; }

    public PostgreSqlStatement<DeadLetter> Bury { get; }

    /// <summary>Dedup keys of predecessors, for their continuations.</summary>
    public PostgreSqlStatement<Continuation> CopyKeys { get; }

    public PostgreSqlStatement<Message> SendMessages { get; }

    public PostgreSqlStatement<string> Existing { get; }

    public PostgreSqlStatement<Receiver> Receivers { get; }

    /// <summary>Takes due signals.</summary>
    /// <param name="request">What is left alone, and the bound in bytes.</param>
    /// <param name="bucket">Of which bucket; null where there are none.</param>
    public NpgsqlBatchCommand Claim(DateTime from, int size, ClaimRequest request, short? bucket)
    {
        var filtered = request.SkipActivities || request.Unknown.Count > 0;
        var claim = filtered ? _filteredClaim : _claim;
        ((NpgsqlParameter<long>)claim.Parameters[2]).TypedValue = request.MaxBytes;
        if (filtered)
        {
            ((NpgsqlParameter<bool>)claim.Parameters[3]).TypedValue = request.SkipActivities;
            ((NpgsqlParameter<string[]>)claim.Parameters[4]).TypedValue = [.. request.Unknown.Select(static unknown => unknown.Name)];
            ((NpgsqlParameter<int[]>)claim.Parameters[5]).TypedValue = [.. request.Unknown.Select(static unknown => unknown.Version)];
        }

        return BindClaim(claim, from, size, bucket);
    }

    /// <summary>Reads instances that the transaction holds, of one bucket.</summary>
    /// <param name="last">The last claimed signal of each.</param>
    public NpgsqlBatchCommand Held(IReadOnlyList<Signal> last)
    {
        ((NpgsqlParameter<DateTime[]>)_held.Parameters[1]).TypedValue =
        [
            .. last.Select(static signal => signal.Due.At!.Value.UtcDateTime),
        ];
        ((NpgsqlParameter<Guid[]>)_held.Parameters[2]).TypedValue = [.. last.Select(static signal => signal.Id)];
        return BindInstances(_held, [.. last.Select(static signal => signal.InstanceId)]);
    }

    /// <summary>
    /// Adds the statements that hold and read those instances whose signals can be decided at once, and find those that have
    /// stored signals that are due.
    /// </summary>
    /// <param name="ids">Each once.</param>
    /// <returns>How many pairs of statements: one, or one for each bucket.</returns>
    public int AddHoldTo(NpgsqlBatchCommandCollection batch, Guid[] ids, long maxBytes)
    {
        if (_buckets is null)
        {
            AddHoldTo(batch, 0, ids, maxBytes);
            return 1;
        }

        var parts = 0;
        foreach (var part in Buckets.Part([.. ids], _buckets.Of))
            AddHoldTo(batch, parts++, [.. part], maxBytes);
        return parts;
    }

    public NpgsqlBatchCommand Receive(DateTime from, int limit, short? bucket) => BindClaim(_receive, from, limit, bucket);

    private void AddHoldTo(NpgsqlBatchCommandCollection batch, int place, Guid[] ids, long maxBytes)
    {
        if (place == _hold.Count)
        {
            var hold = OfInstances(_scripts["hold"]);
            hold.Parameters.Add(new NpgsqlParameter<long> { NpgsqlDbType = NpgsqlDbType.Bigint });
            _hold.Add(AddBucket(hold));
            _overdue.Add(AddBucket(OfInstances(_scripts["overdue"])));
        }

        ((NpgsqlParameter<long>)_hold[place].Parameters[1]).TypedValue = maxBytes;
        batch.Add(BindInstances(_hold[place], ids));
        batch.Add(BindInstances(_overdue[place], ids));
    }

    private PostgreSqlStatement<TRow> New<TRow>(string script, Func<TRow, short> bucketOf) =>
        new(_scripts[script], _buckets is null ? null : bucketOf);

    private NpgsqlBatchCommand AddBucket(NpgsqlBatchCommand command)
    {
        if (_buckets is not null)
            command.Parameters.Add(new NpgsqlParameter<short> { NpgsqlDbType = NpgsqlDbType.Smallint });
        return command;
    }

    private static NpgsqlBatchCommand BindBucket(NpgsqlBatchCommand command, short? bucket)
    {
        if (bucket is { } number)
            ((NpgsqlParameter<short>)command.Parameters[^1]).TypedValue = number;
        return command;
    }

    private static NpgsqlBatchCommand OfInstances(string sql) =>
        new(sql) { Parameters = { new NpgsqlParameter<Guid[]> { NpgsqlDbType = NpgsqlDbType.Array | NpgsqlDbType.Uuid } } };

    private NpgsqlBatchCommand BindInstances(NpgsqlBatchCommand command, Guid[] ids)
    {
        ((NpgsqlParameter<Guid[]>)command.Parameters[0]).TypedValue = ids;
        return BindBucket(command, _buckets?.Of(ids[0]));
    }

    private static NpgsqlBatchCommand Claiming(string sql) =>
        new(sql)
        {
            Parameters =
            {
                new NpgsqlParameter<DateTime> { NpgsqlDbType = NpgsqlDbType.TimestampTz },
                new NpgsqlParameter<int> { NpgsqlDbType = NpgsqlDbType.Integer },
            },
        };

    private static NpgsqlBatchCommand BindClaim(NpgsqlBatchCommand command, DateTime from, int limit, short? bucket)
    {
        ((NpgsqlParameter<DateTime>)command.Parameters[0]).TypedValue = from;
        ((NpgsqlParameter<int>)command.Parameters[1]).TypedValue = limit;
        return BindBucket(command, bucket);
    }

    private static PostgreSqlStatement<TRow> AddInstance<TRow>(PostgreSqlStatement<TRow> statement, Func<TRow, InstanceRecord> instance) =>
        statement
            .Column(NpgsqlDbType.Uuid, row => instance(row).Id)
            .Column(NpgsqlDbType.Uuid, row => instance(row).ParentId)
            .Column(NpgsqlDbType.Bigint, row => instance(row).Version)
            .Column(NpgsqlDbType.Integer, row => instance(row).DefinitionVersion)
            .Column(NpgsqlDbType.Smallint, row => (short)instance(row).Status)
            .Column(NpgsqlDbType.Smallint, row => (short)instance(row).Waits)
            .Column(NpgsqlDbType.Text, row => instance(row).Definition)
            .Column(NpgsqlDbType.Text, row => instance(row).Step)
            .Column(NpgsqlDbType.Text, row => instance(row).BusinessKey)
            .Column(NpgsqlDbType.Bytea, row => instance(row).State)
            .Column(NpgsqlDbType.Bytea, row => instance(row).Progress)
            .Column(NpgsqlDbType.Text, row => Text(instance(row).Error));

    private static PostgreSqlStatement<TRow> AddUpdate<TRow>(PostgreSqlStatement<TRow> statement, Func<TRow, Decision> decision) =>
        statement
            .Column(NpgsqlDbType.Uuid, row => decision(row).Instance!.Id)
            .Column(NpgsqlDbType.Bigint, row => decision(row).ExpectedVersion)
            .Column(NpgsqlDbType.Bigint, row => decision(row).Instance!.Version)
            .Column(NpgsqlDbType.Smallint, row => (short)decision(row).Instance!.Status)
            .Column(NpgsqlDbType.Smallint, row => (short)decision(row).Instance!.Waits)
            .Column(NpgsqlDbType.Text, row => decision(row).Instance!.Step)
            .Column(NpgsqlDbType.Bytea, row => decision(row).Instance!.State)
            .Column(NpgsqlDbType.Bytea, row => decision(row).Instance!.Progress)
            .Column(NpgsqlDbType.Text, row => Text(decision(row).Instance!.Error));

    private static PostgreSqlStatement<TRow> AddSignal<TRow>(PostgreSqlStatement<TRow> statement, Func<TRow, Signal> signal) =>
        statement
            .Column(NpgsqlDbType.Uuid, row => signal(row).InstanceId)
            .Column(NpgsqlDbType.Uuid, row => signal(row).Id)
            .Column(NpgsqlDbType.TimestampTz, row => PostgreSqlTime.AtOf(signal(row).Due))
            .Column(NpgsqlDbType.Interval, row => PostgreSqlTime.DelayOf(signal(row).Due))
            .Column(NpgsqlDbType.Integer, row => signal(row).Attempt)
            .Column(NpgsqlDbType.Smallint, row => (short)signal(row).Kind)
            .Column(NpgsqlDbType.Text, row => signal(row).Name)
            .Column(NpgsqlDbType.Bytea, row => signal(row).Payload);

    /// <summary>An error's text may hold a zero character, which PostgreSQL's text cannot.</summary>
    private static string? Text(string? text) => text?.Replace('\0', ' ');
}
