namespace Serdica.Perf.Measurement.Catalog;

/// <summary>
/// The definitions of the long business flow. <c>QuotationConfirm</c> loads the quotation and waits for the human task "confirm
/// or reject". On confirm it calls the confirmation and the conversion and continues as <c>ConvertToPolicy</c>, which creates
/// the policy, sets its status and notifies. When the confirm call fails, the task is opened again.
/// </summary>
/// <remarks>The steps stand in for the original ones, which no public page describes.</remarks>
internal sealed class QuotationFlow
{
    public const string HumanTask = "confirm-or-reject";
    public const string Converted = "converted";
    public const string Rejected = "rejected";
    public const string Active = "active";

    /// <summary>The service is idempotent by activity, so the caller of Start may call it before the insert.</summary>
    private static readonly ActivityOptions BeforeInsert = new() { InlineAtStart = true };

    /// <summary>A rejected confirmation goes back to the human; the engine must not retry it.</summary>
    private static readonly ActivityOptions Once = new() { Retry = RetryPolicy.None };

    private readonly RecordingTransport _transport;
    private readonly Action<int> _taskReopens;
    private readonly Action<int, Guid> _policyBegins;

    /// <param name="taskReopens">Called with an operation whose confirm call has failed, before its instance knows.</param>
    /// <param name="policyBegins">Called with an operation's second instance while that instance runs its first step.</param>
    public QuotationFlow(RecordingTransport transport, Action<int> taskReopens, Action<int, Guid> policyBegins)
    {
        _transport = transport;
        _taskReopens = taskReopens;
        _policyBegins = policyBegins;
        ConvertToPolicy = DefineConvertToPolicy();
        QuotationConfirm = DefineQuotationConfirm();
    }

    public WorkflowDefinition<QuotationTask> QuotationConfirm { get; }

    public WorkflowDefinition<PolicyTask> ConvertToPolicy { get; }

    public static string ConversionOf(int operation) => Invariant($"CNV-2026-{operation:D8}");

    public static string PolicyNumberOf(int operation) => Invariant($"POL-2026-{operation:D8}");

    private WorkflowDefinition<QuotationTask> DefineQuotationConfirm() =>
        Workflow
            .Define<QuotationTask>("bulstrad-quotation-confirm")
            .Activity("load-quotation", LoadAsync, (task, quotation) => task.Quotation = quotation, BeforeInsert)
            .WaitFor<QuotationVerdict>(HumanTask, Judge)
            .Activity("confirm", ConfirmAsync, (task, _) => task.History.Add("quotation confirmed"), Once, Reopen)
            .Activity("convert", ConvertAsync, (task, conversion) =>
            {
                task.Conversion = conversion;
                task.Outcome = Converted;
            })
            .ContinueWith("convert-to-policy", ConvertToPolicy, task => new PolicyTask
            {
                Operation = task.Operation,
                Conversion = task.Conversion,
                Quotation = task.Quotation,
            })
            .Do("reject", task =>
            {
                task.Outcome = Rejected;
            })
            .Build();

    private WorkflowDefinition<PolicyTask> DefineConvertToPolicy() =>
        Workflow
            .Define<PolicyTask>("bulstrad-convert-to-policy")
            .Activity("create-policy", CreatePolicyAsync, (policy, number) => policy.PolicyNumber = number)
            .Activity("set-status", SetStatusAsync, (policy, status) => policy.Status = status)
            .Activity("notify", NotifyAsync, (policy, notified) => policy.Notified = notified)
            .Build();

    private static Next Judge(QuotationTask task, QuotationVerdict verdict)
    {
        task.Clerk = verdict.Clerk;
        return Next.GoTo(verdict.Confirmed ? "confirm" : "reject");
    }

    private static Next Reopen(QuotationTask task, ActivityFailure failure, StepContext context)
    {
        task.Reopened++;
        task.History.Add($"confirmation failed: {failure.Error}");
        return Next.GoTo(HumanTask);
    }

    private Task<InsuranceDocument> LoadAsync(QuotationTask task, ActivityContext context) =>
        Call(task.Operation, QuotationServices.Load, context, InsuranceDocument.Of(task.Operation, isApplication: false));

    private Task<bool> ConfirmAsync(QuotationTask task, ActivityContext context)
    {
        try
        {
            return Call(task.Operation, QuotationServices.Confirm, context, true);
        }
        catch (ServiceUnavailableException)
        {
            _taskReopens(task.Operation);
            throw;
        }
    }

    private Task<string> ConvertAsync(QuotationTask task, ActivityContext context) =>
        Call(task.Operation, QuotationServices.Convert, context, ConversionOf(task.Operation));

    private Task<string> CreatePolicyAsync(PolicyTask policy, ActivityContext context)
    {
        _policyBegins(policy.Operation, context.InstanceId);
        return Call(policy.Operation, QuotationServices.CreatePolicy, context, PolicyNumberOf(policy.Operation));
    }

    private Task<string> SetStatusAsync(PolicyTask policy, ActivityContext context) =>
        Call(policy.Operation, QuotationServices.SetStatus, context, Active);

    private Task<bool> NotifyAsync(PolicyTask policy, ActivityContext context) =>
        Call(policy.Operation, QuotationServices.Notify, context, true);

    private Task<T> Call<T>(int operation, string service, ActivityContext context, T answer)
    {
        _transport.Call(operation, service, context.ActivityId);
        return Task.FromResult(answer);
    }
}
