namespace Serdica.Perf.Measurement.Catalog;

/// <summary>
/// A parent starts ten children in its own commit; each child does work outside the transaction; the parent sums their results
/// when all have closed. An operation is a parent with its children: eleven instances.
/// </summary>
internal sealed class ChildFanOut : HostedWorkload
{
    public const int Children = 10;

    private readonly WorkflowDefinition<ChildState> _child;
    private readonly WorkflowDefinition<ParentState> _parent;
    private Operations? _current;

    public ChildFanOut(IScenarioStore store, ScenarioParameters parameters)
        : base(store, EngineSettings.Options(parameters))
    {
        // Room for all activities at once: an activity that finds no slot is postponed, which adds a version to its instance.
        Options = Options with { MaxActivities = int.MaxValue };
        _child = Workflow
            .Define<ChildState>("child-fan-out-child")
            .Do("begin", state => state.Begun++)
            .Activity("work", WorkAsync, (state, result) => state.Result = result)
            .Do("report", state => state.Reported++)
            .Build();
        _parent = Workflow
            .Define<ParentState>("child-fan-out")
            .Do("begin", state => state.Begun++)
            .Children("fan-out", _child, Inputs, Join)
            .Do("finish", state => state.Finished++)
            .Build();
    }

    public override int InstancesPerOperation => 1 + Children;

    protected override IReadOnlyList<WorkflowDefinition> Definitions => [_parent, _child];

    public override OperationSet CreateOperations(int count, bool warmUp)
    {
        var operations = new Operations(count, this);
        Volatile.Write(ref _current, operations);
        return operations;
    }

    private static long ResultOf(int operation, int index) => (operation + 1L) * (index + 1);

    private static IEnumerable<ChildState> Inputs(ParentState parent) =>
        Enumerable.Range(0, Children).Select(index => new ChildState { Operation = parent.Operation, Index = index });

    private static Next Join(ParentState parent, IReadOnlyList<ChildResult<ChildState>> results, StepContext context)
    {
        parent.Joined++;
        foreach (var result in results)
        {
            if (result.Status != InstanceStatus.Completed)
                return Next.Fault($"Child {result.InstanceId} is {result.Status}: {result.Error}");
            parent.Children.Add(result.InstanceId);
            parent.Sum += result.State.Result;
        }

        return Next.Step;
    }

    private Task<long> WorkAsync(ChildState child, ActivityContext context)
    {
        Volatile.Read(ref _current)!.ChildWorks(child.Operation, child.Index, context.InstanceId);
        return Task.FromResult(ResultOf(child.Operation, child.Index));
    }

    private sealed class ParentState
    {
        public int Operation { get; set; }

        public int Begun { get; set; }

        public int Joined { get; set; }

        public int Finished { get; set; }

        public long Sum { get; set; }

        public List<Guid> Children { get; set; } = [];
    }

    private sealed class ChildState
    {
        public int Operation { get; set; }

        public int Index { get; set; }

        public int Begun { get; set; }

        public long Result { get; set; }

        public int Reported { get; set; }
    }

    private sealed class Operations : InstanceOperations
    {
        private readonly ChildFanOut _workload;
        private readonly Guid[] _children;
        private readonly ConcurrentLatencyRecorder _join;

        public Operations(int count, ChildFanOut workload)
            : base(count, signals: false)
        {
            _workload = workload;
            _children = new Guid[count * Children];
            _join = Phases.Add(PhaseNames.StartToJoin);
        }

        /// <summary>Called by the child's activity; the parent's list of children is checked against it.</summary>
        public void ChildWorks(int operation, int index, Guid child) => _children[(operation * Children) + index] = child;

        public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
        {
            var durable = await StartAsync(
                    operation,
                    _workload.Client,
                    _workload._parent,
                    new ParentState { Operation = operation },
                    null,
                    cancellationToken
                );
            var closed = await _workload.WatchStartedAsync(Id(operation), cancellationToken);
            return Expect.CompletedAsync(closed, durable, _join);
        }

        public override async Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken)
        {
            Guid[] ids = [.. Ids(launched).Span, .. _children.AsSpan(0, launched * Children)];
            return await InstanceAudit
                .RunAsync(
                    _workload.Backend,
                    ids,
                    (index, record) => index < launched ? ExamineParent(index, record) : ExamineChild(index - launched, record),
                    cancellationToken
                );
        }

        /// <summary>One signal of each child that has closed.</summary>
        private string? ExamineParent(int operation, InstanceRecord record) =>
            Expect.Version(record, Children)
            ?? Expect.State<ParentState>(record, parent =>
                parent.Operation == operation
                && parent is { Begun: 1, Joined: 1, Finished: 1 }
                && parent.Sum == Enumerable.Range(0, Children).Sum(index => ResultOf(operation, index))
                && parent.Children.SequenceEqual(new ArraySegment<Guid>(_children, operation * Children, Children))
            );

        /// <summary>The activity was leased, and has reported.</summary>
        private string? ExamineChild(int child, InstanceRecord record)
        {
            var (operation, index) = Math.DivRem(child, Children);
            return Expect.Version(record, 2)
                ?? (
                    record.ParentId == Id(operation)
                        ? null
                        : $"instance {record.Id} is a child of {record.ParentId} and not of {Id(operation)}"
                )
                ?? Expect.State<ChildState>(record, state =>
                    (state.Operation, state.Index, state.Begun, state.Reported, state.Result)
                    == (operation, index, 1, 1, ResultOf(operation, index))
                );
        }
    }
}
