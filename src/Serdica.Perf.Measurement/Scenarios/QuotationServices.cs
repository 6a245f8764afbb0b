namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>The services that the quotation's flow calls, in the order in which it calls them.</summary>
internal static class QuotationServices
{
    public const string Load = "quotation.load";
    public const string Confirm = "quotation.confirm";
    public const string Convert = "quotation.convert";
    public const string CreatePolicy = "policy.create";
    public const string SetStatus = "policy.set-status";
    public const string Notify = "policy.notify";

    private const int FailingEvery = 5;

    /// <summary>Whether the confirm call of an operation fails the first time.</summary>
    public static bool FailsOnce(int operation) => operation % FailingEvery == FailingEvery - 1;

    /// <summary>The calls of one operation, those of the policy's instance included.</summary>
    public static IReadOnlyList<ServiceCall> Expected(int operation)
    {
        var calls = new List<ServiceCall>(7) { new(operation, Load, 1, true) };
        if (FailsOnce(operation))
            calls.Add(new(operation, Confirm, 1, false));
        calls.Add(new(operation, Confirm, FailsOnce(operation) ? 2 : 1, true));
        foreach (var service in (string[])[Convert, CreatePolicy, SetStatus, Notify])
            calls.Add(new(operation, service, 1, true));
        return calls;
    }
}
