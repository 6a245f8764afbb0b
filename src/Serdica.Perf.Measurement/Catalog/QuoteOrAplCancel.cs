namespace Serdica.Perf.Measurement.Catalog;

/// <summary>
/// Cancels a quotation or an application: loads the document by its kind, cancels it, closes the task. It has no wait, so an
/// instance is one commit. For every fifth operation the cancel call fails once; then the task is opened and done again.
/// </summary>
/// <remarks>The steps stand in for the original ones, which no public page describes.</remarks>
internal sealed class QuoteOrAplCancel : HostedWorkload
{
    private const string LoadQuotation = "quotation.load";
    private const string LoadApplication = "application.load";
    private const string CancelDocument = "document.cancel";
    private const string Cancelled = "cancelled";
    private const int FailingEvery = 5;

    /// <summary>The services are idempotent by activity, so the caller of Start may call them before the insert.</summary>
    private static readonly ActivityOptions BeforeInsert = new() { InlineAtStart = true, Retry = RetryPolicy.None };

    private readonly RecordingTransport _transport = new(call =>
        call.Service == CancelDocument && call.Attempt == 1 && FailsOnce(call.Operation)
    );

    private readonly WorkflowDefinition<CancellationTask> _definition;

    public QuoteOrAplCancel(IScenarioStore store, ScenarioParameters parameters)
        : base(store, EngineSettings.Options(parameters)) => _definition = Define();

    protected override IReadOnlyList<WorkflowDefinition> Definitions => [_definition];

    public override OperationSet CreateOperations(int count, bool warmUp)
    {
        _transport.Clear(count);
        return new Operations(count, KeyPrefix(warmUp, "cancel"), this);
    }

    private static bool FailsOnce(int operation) => operation % FailingEvery == FailingEvery - 1;

    private static bool IsApplication(int operation) => operation % 2 == 1;

    private WorkflowDefinition<CancellationTask> Define() =>
        Workflow
            .Define<CancellationTask>("bulstrad-quote-or-apl-cancel")
            .Do("choose", task => Next.GoTo(task.IsApplication ? "load-application" : "load-quotation"))
            .Activity("load-quotation", Load(LoadQuotation), Loaded, BeforeInsert)
            .Activity("load-application", Load(LoadApplication), Loaded, BeforeInsert)
            .Activity("cancel", Cancel, Accepted, BeforeInsert, Refused)
            .Do("reopen", task =>
            {
                task.Reopened++;
                return Next.GoTo("cancel");
            })
            .Do("close", task =>
            {
                task.Outcome = Cancelled;
            })
            .Build();

    private Func<CancellationTask, ActivityContext, Task<InsuranceDocument>> Load(string service) =>
        (task, context) =>
        {
            _transport.Call(task.Operation, service, context.ActivityId);
            return Task.FromResult(InsuranceDocument.Of(task.Operation, task.IsApplication));
        };

    private Task<bool> Cancel(CancellationTask task, ActivityContext context)
    {
        _transport.Call(task.Operation, CancelDocument, context.ActivityId);
        return Task.FromResult(true);
    }

    private static Next Loaded(CancellationTask task, InsuranceDocument document, StepContext context)
    {
        task.Document = document;
        return Next.GoTo("cancel");
    }

    private static Next Accepted(CancellationTask task, bool accepted, StepContext context)
    {
        task.History.Add("cancellation accepted");
        return Next.GoTo("close");
    }

    private static Next Refused(CancellationTask task, ActivityFailure failure, StepContext context)
    {
        task.History.Add($"cancellation failed: {failure.Error}");
        return Next.GoTo("reopen");
    }

    private sealed class Operations : InstanceOperations
    {
        private readonly string _keyPrefix;
        private readonly QuoteOrAplCancel _flow;

        public Operations(int count, string keyPrefix, QuoteOrAplCancel flow)
            : base(count, signals: false)
        {
            _keyPrefix = keyPrefix;
            _flow = flow;
        }

        public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
        {
            var task = new CancellationTask { Operation = operation, IsApplication = IsApplication(operation) };
            await StartAsync(operation, _flow.Client, _flow._definition, task, $"{_keyPrefix}-{operation}", cancellationToken);

            // The start is the whole instance: durable means complete.
            return Task.CompletedTask;
        }

        public override async Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
            [
                .. await InstanceAudit.RunAsync(_flow.Backend, Ids(launched), Examine, cancellationToken),
                .. _flow._transport.Checks(launched, ExpectedCalls),
            ];

        private static List<ServiceCall> ExpectedCalls(int operation)
        {
            var calls = new List<ServiceCall>(3) { new(operation, IsApplication(operation) ? LoadApplication : LoadQuotation, 1, true) };
            if (FailsOnce(operation))
                calls.Add(new(operation, CancelDocument, 1, false));
            calls.Add(new(operation, CancelDocument, FailsOnce(operation) ? 2 : 1, true));
            return calls;
        }

        private static string? Examine(int operation, InstanceRecord record) =>
            Expect.Version(record, 0)
            ?? Expect.State<CancellationTask>(record, task =>
                task.Operation == operation
                && task.Outcome == Cancelled
                && task.Reopened == (FailsOnce(operation) ? 1 : 0)
                && task.Document?.Number == InsuranceDocument.Of(operation, IsApplication(operation)).Number
            );
    }
}

/// <summary>The state of the flow that cancels a quotation or an application.</summary>
internal sealed class CancellationTask
{
    public int Operation { get; set; }

    public bool IsApplication { get; set; }

    public InsuranceDocument? Document { get; set; }

    /// <summary>How many times the task was opened again because the cancel call had failed.</summary>
    public int Reopened { get; set; }

    public string? Outcome { get; set; }

    public List<string> History { get; set; } = [];
}
