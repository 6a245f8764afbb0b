namespace Serdica.Perf.Workflows;

/// <summary>
/// One turn of one instance: takes signals, runs steps, and gathers what is to be written. It reads the clock only for new
/// ids and to see when it has to end, and touches no database, so it can be thrown away and repeated.
/// </summary>
/// <remarks>It is the largest object of an operation, so one that has ended serves the next instance of its definition.</remarks>
internal abstract class Turn
{
    private TurnEnvironment? _environment;
    private Decision? _decision;

    public StepContext Context { get; protected set; }

    public Decision Decision => _decision ??= new();

    public Progress Progress { get; set; } = Progress.None;

    public TimeProvider Time => Environment.Time;

    /// <summary>Set while the caller of Start decides the first steps.</summary>
    public bool RunsInline { get; private set; }

    /// <summary>Activities that this host has leased in this turn and runs after the commit.</summary>
    public List<LeasedActivity>? Leases { get; protected set; }

    /// <summary>Signals of an attempt or a child that counts no more; dropped.</summary>
    public int StaleSignals { get; protected set; }

    /// <summary>Handlers that failed in this turn.</summary>
    public int HandlerFailures { get; protected set; }

    /// <summary>The last error of a handler, for the log.</summary>
    public Exception? HandlerError { get; protected set; }

    /// <summary>Closed children whose results are to be read, for the next turn.</summary>
    public ChildFamily? UnreadChildren { get; protected set; }

    /// <summary>Children whose results this turn has read and taken.</summary>
    public ChildFamily? TakenChildren { get; protected set; }

    /// <summary>Signals for which there was no time; they are sent again unchanged.</summary>
    public List<Signal>? Left { get; protected set; }

    public abstract WorkflowDefinition Definition { get; }

    protected TurnEnvironment Environment => _environment ?? throw new InvalidOperationException("This turn has ended.");

    protected Guid Id => Context.InstanceId;

    /// <summary>The instance that gets a signal when this one closes.</summary>
    protected Guid? ParentId { get; private set; }

    protected WorkflowOptions Options => Environment.Options;

    public int MaxChildBytes => Options.MaxChildBytes;

    public Guid NewId() => Environment.NewId();

    /// <summary>For an instance that this one starts.</summary>
    public Guid NewInstanceId() => Environment.NewId(starter: Id);

    /// <summary>A number between 0 and 1 that is the same for the same id: jitter without randomness.</summary>
    public double Spread(Guid id) => (uint)id.GetHashCode() / (double)uint.MaxValue;

    public void SetTimer(string step, Due due)
    {
        var id = NewId();
        Progress = Progress with { TimerId = id };
        Decision.Send(NewSignal(SignalKind.Timer, step, due, id));
    }

    public void ScheduleActivity(string step)
    {
        var id = NewId();
        if (Environment.CanRunActivity())
        {
            Lease(step, id, attempt: 1);
            return;
        }

        SendActivity(step, Due.Now, new PendingActivity { Id = id, Attempt = 0 });
    }

    public void RetryActivity(string step, TimeSpan pause)
    {
        var activity = Progress.Activity!;
        Withdraw(activity.Id);
        SendActivity(step, Due.After(pause), activity with { Failed = true });
    }

    public abstract void StartChild<TChild>(WorkflowDefinition<TChild> definition, Guid id, TChild input)
        where TChild : class;

    /// <summary>What the children report, in their order; all have closed.</summary>
    /// <exception cref="ChildrenNotReadException">They have to be read first.</exception>
    public IReadOnlyList<ChildReport> TakeReports(ChildFamily family)
    {
        if (!family.IsRead)
            return [.. family.Reports!.Select(ChildReport.Read).OrderBy(report => SortableId.PlaceOf(family.First, report.Child))];
        var closed = Environment.FindChildren(family) ?? throw new ChildrenNotReadException(family);
        TakenChildren = family;
        return
        [
            .. closed.Select(
                (record, place) =>
                    record is { } found && found.Status.IsClosed()
                        ? ChildReport.Of(family.IdOf(place), found)
                        : throw new InvalidOperationException(
                            $"Child {family.IdOf(place)} has reported its end, and is not closed in the database, or not there: was it "
                                + $"purged before its parent?"
                        )
            ),
        ];
    }

    public abstract void ContinueWith<TNext>(WorkflowDefinition<TNext> definition, TNext input)
        where TNext : class;

    public void ContinueWith<TNext>(string definition, TNext input)
        where TNext : class => ContinueWith(Environment.Registry.Newest<TNext>(definition), input);

    /// <summary>Gives the turn back. It and its decision, unless that was taken, are not to be used any more.</summary>
    public void End()
    {
        // Ended twice it would serve two instances at once.
        _ = Environment;
        Recycle();
    }

    protected abstract void Recycle();

    protected void Begin(TurnEnvironment environment, StepContext context, Guid? parentId, Progress progress, bool runsInline)
    {
        _environment = environment;
        Context = context;
        ParentId = parentId;
        Progress = progress;
        RunsInline = runsInline;
    }

    /// <summary>Nothing of this instance is seen by the next one, or kept alive.</summary>
    public virtual void Reset()
    {
        _environment = null;
        _decision?.Clear();
        Context = default;
        Progress = Progress.None;
        RunsInline = false;
        ParentId = null;
        Leases = null;
        StaleSignals = 0;
        HandlerFailures = 0;
        HandlerError = null;
        UnreadChildren = null;
        TakenChildren = null;
        Left = null;
    }

    /// <summary>The decision, which outlives the turn.</summary>
    protected Decision TakeDecision()
    {
        var decision = Decision;
        _decision = null;
        return decision;
    }

    /// <summary>
    /// The signal must not come any more. One that this very turn wanted to send is not sent: what is sent is
    /// inserted after what is withdrawn.
    /// </summary>
    protected void Withdraw(Guid signalId)
    {
        if (!Unsend(signalId))
            Decision.Withdraw(signalId);
    }

    protected void Lease(string step, Guid id, int attempt, Guid? claim = null)
    {
        SendActivity(step, Due.After(Options.ActivityLease), new PendingActivity { Id = id, Attempt = attempt, Claim = claim });
        (Leases ??= []).Add(
            new LeasedActivity(new ActivityLease(Id, id, attempt), Definition, step, Context.BusinessKey) { Claim = claim }
        );
    }

    /// <summary>
    /// The only place that sends an activity's signal, and notes in the same breath which one counts: an activity has one
    /// signal, and what this turn sent for it before is replaced.
    /// </summary>
    protected void SendActivity(string step, Due due, PendingActivity activity)
    {
        Unsend(activity.Id);
        Progress = Progress with { Activity = activity };
        Decision.Send(NewSignal(SignalKind.Activity, step, due, activity.Id, activity.Token));
    }

    protected Signal NewSignal(SignalKind kind, string name, Due due, Guid id, int attempt = 0) =>
        new() { Id = id, InstanceId = Id, Kind = kind, Name = name, Due = due, Attempt = attempt };

    private bool Unsend(Guid signalId) =>
        Decision.Sent is { Count: > 0 } sent && sent.RemoveAll(signal => signal.Id == signalId && signal.InstanceId == Id) > 0;
}
