namespace Serdica.Perf.Measurement.Catalog;

/// <summary>
/// The long business flow, see <see cref="QuotationFlow"/>. The first instance does not wait for its continuation; an operation
/// does, and consists of two completed instances. For every fifth operation the confirm call fails once; then the human task is
/// opened again, and the operation repeats it.
/// </summary>
internal sealed class QuotationConfirm : HostedWorkload
{
    /// <summary>
    /// The activities confirm, confirm again, convert, create the policy, set its status and notify; the load runs inline.
    /// </summary>
    private const int ActivitiesPerOperation = 6;

    private const string Clerk = "clerk-7";
    private const int LeastStateBytes = 2 * 1024;
    private const int MostStateBytes = 4 * 1024;

    private readonly RecordingTransport _transport = new(call =>
        call.Service == QuotationServices.Confirm && call.Attempt == 1 && QuotationServices.FailsOnce(call.Operation)
    );

    private readonly QuotationFlow _flow;
    private Operations? _current;

    public QuotationConfirm(IScenarioStore store, ScenarioParameters parameters)
        : base(store, EngineSettings.Options(parameters))
    {
        // Room for all activities at once: an activity that finds no slot is postponed, which adds a version to its instance.
        var activities = Math.Min(int.MaxValue, (long)ActivitiesPerOperation * parameters.Operations);
        Options = Options with { MaxActivities = Math.Max(Options.MaxActivities, (int)activities) };
        _flow = new QuotationFlow(
            _transport,
            operation => Volatile.Read(ref _current)!.TaskReopens(operation),
            (operation, policy) => Volatile.Read(ref _current)!.PolicyBegins(operation, policy)
        );
    }

    public override int InstancesPerOperation => 2;

    protected override IReadOnlyList<WorkflowDefinition> Definitions => [_flow.QuotationConfirm, _flow.ConvertToPolicy];

    public override OperationSet CreateOperations(int count, bool warmUp)
    {
        _transport.Clear(count);
        var operations = new Operations(count, KeyPrefix(warmUp, "quotation"), this);
        Volatile.Write(ref _current, operations);
        return operations;
    }

    private sealed class Operations : InstanceOperations
    {
        private static readonly QuotationVerdict Confirmed = new(true, Clerk);

        private readonly string _keyPrefix;
        private readonly QuotationConfirm _workload;
        private readonly Guid[] _policies;
        private readonly TaskCompletionSource[] _reopened;
        private readonly TaskCompletionSource<Task<ClosedInstance>>[] _policyBegun;
        private readonly ConcurrentLatencyRecorder _completion;

        public Operations(int count, string keyPrefix, QuotationConfirm workload)
            : base(count)
        {
            _keyPrefix = keyPrefix;
            _workload = workload;
            _policies = new Guid[count];
            _reopened =
            [
                .. Enumerable.Range(0, count).Select(_ => new TaskCompletionSource(RunContinuationsAsynchronously)),
            ];
            _policyBegun =
            [
                .. Enumerable
                    .Range(0, count)
                    .Select(_ => new TaskCompletionSource<Task<ClosedInstance>>(RunContinuationsAsynchronously)),
            ];
            _completion = Phases.Add(PhaseNames.SignalToCompletion);
        }

        public void TaskReopens(int operation) => _reopened[operation].TrySetResult();

        /// <summary>
        /// Watches the instance from within its first step, before which it cannot have closed: nothing is missed or polled.
        /// </summary>
        public void PolicyBegins(int operation, Guid policy)
        {
            _policies[operation] = policy;
            _policyBegun[operation].TrySetResult(_workload.Client.WatchClose(policy));
        }

        internal override int LatenciesPerOperation => 2;

        public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
        {
            await StartAsync(
                    operation,
                    _workload.Client,
                    _workload._flow.QuotationConfirm,
                    new QuotationTask { Operation = operation },
                    $"{_keyPrefix}-{operation}",
                    cancellationToken
                );
            var closed = _workload.Client.WatchClose(Id(operation));
            var published = await ConfirmAsync(operation, cancellationToken);
            return CompleteAsync(operation, closed, published, cancellationToken);
        }

        public override async Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken)
        {
            Guid[] ids = [.. Ids(launched).Span, .. _policies.AsSpan(0, launched)];
            return
            [
                .. await InstanceAudit
                    .RunAsync(
                        _workload.Backend,
                        ids,
                        (index, record) => index < launched ? ExamineQuotation(index, record) : ExaminePolicy(index - launched, record),
                        cancellationToken
                    ),
                .. _workload._transport.Checks(launched, QuotationServices.Expected),
            ];
        }

        /// <returns>When the verdict was durable.</returns>
        private Task<long> ConfirmAsync(int operation, CancellationToken cancellationToken) =>
            SignalAsync(operation, _workload.Client, QuotationFlow.HumanTask, Confirmed, cancellationToken);

        private async Task CompleteAsync(
            int operation,
            Task<ClosedInstance> quotationClosed,
            long published,
            CancellationToken cancellationToken
        )
        {
            if (QuotationServices.FailsOnce(operation))
            {
                // The verdict may arrive before its task is open again; the engine then keeps it for the task.
                await _reopened[operation].Task;
                await ConfirmAsync(operation, cancellationToken);
            }

            var quotation = await quotationClosed;
            Expect.Completed(quotation);
            var policy = await (await _policyBegun[operation].Task);
            Expect.Completed(policy);
            if (quotation.ContinuedAs != policy.Id)
                throw new OperationFailedException(
                    $"Instance {quotation.Id} continued as {quotation.ContinuedAs}, and the policy was made by {policy.Id}."
                );
            _completion.Record(published, Math.Max(published, Stopwatch.GetTimestamp()));
        }

        /// <summary>The verdict and the reports of two activities; a failed confirmation adds its report and another verdict.</summary>
        private static string? ExamineQuotation(int operation, InstanceRecord record) =>
            Expect.Version(record, QuotationServices.FailsOnce(operation) ? 5 : 3)
            ?? Size(record)
            ?? Expect.State<QuotationTask>(record, task =>
                task.Operation == operation
                && task.Outcome == QuotationFlow.Converted
                && task.Clerk == Clerk
                && task.Conversion == QuotationFlow.ConversionOf(operation)
                && task.Reopened == (QuotationServices.FailsOnce(operation) ? 1 : 0)
                && task.History.Count == 1 + task.Reopened
                && task.Quotation?.Number == InsuranceDocument.Of(operation, isApplication: false).Number
            );

        /// <summary>The reports of three activities.</summary>
        private static string? ExaminePolicy(int operation, InstanceRecord record) =>
            Expect.Version(record, 3)
            ?? Size(record)
            ?? Expect.State<PolicyTask>(record, policy =>
                policy.Operation == operation
                && policy is { Status: QuotationFlow.Active, Notified: true }
                && policy.Conversion == QuotationFlow.ConversionOf(operation)
                && policy.PolicyNumber == QuotationFlow.PolicyNumberOf(operation)
                && policy.Quotation?.Number == InsuranceDocument.Of(operation, isApplication: false).Number
            );

        private static string? Size(InstanceRecord record) =>
            record.State.Length is >= LeastStateBytes and <= MostStateBytes
                ? null
                : $"the state of instance {record.Id} has {record.State.Length} bytes and not 2 to 4 KB";
    }
}
