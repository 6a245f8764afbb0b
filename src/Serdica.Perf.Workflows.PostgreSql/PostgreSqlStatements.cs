using Npgsql;
using NpgsqlTypes;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>The hot statements of one session, with the engine's records as their rows.</summary>
internal sealed class PostgreSqlStatements
{
    private readonly NpgsqlBatchCommand _claim;
    private readonly NpgsqlBatchCommand _filteredClaim;
    private readonly NpgsqlBatchCommand _receive;
    private readonly NpgsqlBatchCommand _held;
    private readonly NpgsqlBatchCommand _hold;
    private readonly NpgsqlBatchCommand _overdue;

    /// <param name="scripts">The SQL.</param>
    /// <param name="pins">The limits that each transaction sets for itself, where it does.</param>
    public PostgreSqlStatements(PostgreSqlScripts scripts, PostgreSqlConnectionSettings? pins)
    {
        _claim = Claiming(scripts["claim"]);
        _claim.Parameters.Add(new NpgsqlParameter<long> { NpgsqlDbType = NpgsqlDbType.Bigint });
        _filteredClaim = Claiming(scripts.FilteredClaim);
        _filteredClaim.Parameters.Add(new NpgsqlParameter<long> { NpgsqlDbType = NpgsqlDbType.Bigint });
        _filteredClaim.Parameters.Add(new NpgsqlParameter<bool> { NpgsqlDbType = NpgsqlDbType.Boolean });
        _filteredClaim.Parameters.Add(new NpgsqlParameter<string[]> { NpgsqlDbType = NpgsqlDbType.Array | NpgsqlDbType.Text });
        _filteredClaim.Parameters.Add(new NpgsqlParameter<int[]> { NpgsqlDbType = NpgsqlDbType.Array | NpgsqlDbType.Integer });
        _receive = Claiming(scripts["receive-messages"]);
        _held = OfInstances(scripts["held"]);
        _hold = OfInstances(scripts["hold"]);
        _hold.Parameters.Add(new NpgsqlParameter<long> { NpgsqlDbType = NpgsqlDbType.Bigint });
        _overdue = OfInstances(scripts["overdue"]);

        // Our own sessions read what is committed by default; a pooler's may have another level.
        Begin = new NpgsqlBatchCommand(pins is null ? "begin" : "begin isolation level read committed");
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
        Start = AddInstance(new PostgreSqlStatement<InstanceRecord>(scripts["start"]), static instance => instance);
        StartKeyed = AddInstance(new PostgreSqlStatement<InstanceRecord>(scripts["start-keyed"]), static instance => instance);
        StartChildren = AddInstance(new PostgreSqlStatement<StartedChild>(scripts["start-children"]), static child => child.Instance)
            .Column(NpgsqlDbType.Uuid, static child => child.Starter);
        Update = new PostgreSqlStatement<HeldUpdate>(scripts["update"])
            .Column(NpgsqlDbType.Text, static u => u.Place)
            .Column(NpgsqlDbType.Uuid, static u => u.Instance.Id)
            .Column(NpgsqlDbType.Bigint, static u => u.Decision.ExpectedVersion)
            .Column(NpgsqlDbType.Bigint, static u => u.Instance.Version)
            .Column(NpgsqlDbType.Smallint, static u => (short)u.Instance.Status)
            .Column(NpgsqlDbType.Smallint, static u => (short)u.Instance.Waits)
            .Column(NpgsqlDbType.Text, static u => u.Instance.Step)
            .Column(NpgsqlDbType.Bytea, static u => u.Instance.State)
            .Column(NpgsqlDbType.Bytea, static u => u.Instance.Progress)
            .Column(NpgsqlDbType.Text, static u => Text(u.Instance.Error));
        Send = AddSignal(new PostgreSqlStatement<Signal>(scripts["send"]), static signal => signal)
            .Column(NpgsqlDbType.Boolean, static _ => false);
        Publish = AddSignal(new PostgreSqlStatement<Receiver>(scripts["send"]), static receiver => receiver.Signal)
            .Column(NpgsqlDbType.Boolean, static receiver => receiver.Submission.DedupKey is null);
        PublishOnce = AddSignal(new PostgreSqlStatement<Receiver>(scripts["send-once"]), static receiver => receiver.Signal)
            .Column(NpgsqlDbType.Text, static receiver => receiver.Submission.DedupKey);
        AcceptKeys = new PostgreSqlStatement<Receiver>(scripts["accept-keys"])
            .Column(NpgsqlDbType.Uuid, static receiver => receiver.Signal.InstanceId)
            .Column(NpgsqlDbType.Text, static receiver => receiver.Submission.DedupKey);
        Withdraw = new PostgreSqlStatement<WithdrawnSignal>(scripts["withdraw"])
            .Column(NpgsqlDbType.Uuid, static signal => signal.InstanceId)
            .Column(NpgsqlDbType.Uuid, static signal => signal.SignalId);
        Bury = new PostgreSqlStatement<DeadLetter>(scripts["dead-letter"])
            .Column(NpgsqlDbType.Uuid, static letter => letter.Signal.Id)
            .Column(NpgsqlDbType.Uuid, static letter => letter.Signal.InstanceId)
            .Column(NpgsqlDbType.Integer, static letter => letter.Signal.Attempt)
            .Column(NpgsqlDbType.Smallint, static letter => (short)letter.Signal.Kind)
            .Column(NpgsqlDbType.Smallint, static letter => (short)letter.Reason)
            .Column(NpgsqlDbType.Text, static letter => letter.Signal.Name)
            .Column(NpgsqlDbType.Text, static letter => Text(letter.Detail))
            .Column(NpgsqlDbType.Bytea, static letter => letter.Signal.Payload);
        CopyKeys = new PostgreSqlStatement<Continuation>(scripts["copy-keys"])
            .Column(NpgsqlDbType.Uuid, static continuation => continuation.From)
            .Column(NpgsqlDbType.Uuid, static continuation => continuation.To);
        SendMessages = new PostgreSqlStatement<Message>(scripts["send-messages"])
            .Column(NpgsqlDbType.Uuid, static message => message.Id)
            .Column(NpgsqlDbType.TimestampTz, static message => PostgreSqlTime.AtOf(message.Due))
            .Column(NpgsqlDbType.Interval, static message => PostgreSqlTime.DelayOf(message.Due))
            .Column(NpgsqlDbType.Bytea, static message => message.Payload);
        Existing = new PostgreSqlStatement<string>(scripts["existing"]).Column(NpgsqlDbType.Text, static key => key);
        Receivers = new PostgreSqlStatement<Receiver>(scripts["receivers"])
            .Column(NpgsqlDbType.Uuid, static receiver => receiver.Signal.InstanceId)
            .Column(NpgsqlDbType.Text, static receiver => receiver.Submission.DedupKey);
    }

    public NpgsqlBatchCommand Begin { get; }

    public NpgsqlBatchCommand Commit { get; } = new("commit");

    public NpgsqlBatchCommand PinPlans { get; }

    /// <summary>Not bound to a session: it is rare.</summary>
    public string ExtendLeases { get; }

    public NpgsqlBatchCommand NextDue { get; }

    public NpgsqlBatchCommand NextMessage { get; }

    /// <summary>Instances without a business key.</summary>
    public PostgreSqlStatement<InstanceRecord> Start { get; }

    /// <summary>Instances with a business key, which may be taken.</summary>
    public PostgreSqlStatement<InstanceRecord> StartKeyed { get; }

    public PostgreSqlStatement<StartedChild> StartChildren { get; }

    public PostgreSqlStatement<HeldUpdate> Update { get; }

    /// <summary>The engine's own signals.</summary>
    public PostgreSqlStatement<Signal> Send { get; }

    /// <summary>Signals from outside. One with a dedup key has been accepted by <see cref="AcceptKeys"/> already.</summary>
    public PostgreSqlStatement<Receiver> Publish { get; }

    /// <summary>Signals from outside, some of them with a dedup key.</summary>
    public PostgreSqlStatement<Receiver> PublishOnce { get; }

    /// <summary>Dedup keys of signals that are decided or stored later in the transaction.</summary>
    public PostgreSqlStatement<Receiver> AcceptKeys { get; }

    public PostgreSqlStatement<WithdrawnSignal> Withdraw { get; }

    public PostgreSqlStatement<DeadLetter> Bury { get; }

    /// <summary>Dedup keys of predecessors, for their continuations.</summary>
    public PostgreSqlStatement<Continuation> CopyKeys { get; }

    public PostgreSqlStatement<Message> SendMessages { get; }

    public PostgreSqlStatement<string> Existing { get; }

    public PostgreSqlStatement<Receiver> Receivers { get; }

    public NpgsqlBatchCommand Claim(DateTime from, int size, ClaimRequest request)
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

        return BindClaim(claim, from, size);
    }

    /// <summary>Reads instances that the transaction holds.</summary>
    public NpgsqlBatchCommand Held(Guid[] ids) => BindInstances(_held, ids);

    /// <summary>Holds and reads those instances whose signals can be decided at once.</summary>
    /// <param name="ids">Each once.</param>
    /// <param name="maxBytes">Of state and progress of one instance.</param>
    public NpgsqlBatchCommand Hold(Guid[] ids, long maxBytes)
    {
        ((NpgsqlParameter<long>)_hold.Parameters[1]).TypedValue = maxBytes;
        return BindInstances(_hold, ids);
    }

    /// <summary>Finds instances with stored signals that are due.</summary>
    public NpgsqlBatchCommand Overdue(Guid[] ids) => BindInstances(_overdue, ids);

    public NpgsqlBatchCommand Receive(DateTime from, int limit) => BindClaim(_receive, from, limit);

    private static NpgsqlBatchCommand OfInstances(string sql) =>
        new(sql) { Parameters = { new NpgsqlParameter<Guid[]> { NpgsqlDbType = NpgsqlDbType.Array | NpgsqlDbType.Uuid } } };

    private static NpgsqlBatchCommand BindInstances(NpgsqlBatchCommand command, Guid[] ids)
    {
        ((NpgsqlParameter<Guid[]>)command.Parameters[0]).TypedValue = ids;
        return command;
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

    private static NpgsqlBatchCommand BindClaim(NpgsqlBatchCommand command, DateTime from, int limit)
    {
        ((NpgsqlParameter<DateTime>)command.Parameters[0]).TypedValue = from;
        ((NpgsqlParameter<int>)command.Parameters[1]).TypedValue = limit;
        return command;
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
