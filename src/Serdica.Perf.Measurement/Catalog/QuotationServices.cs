namespace Serdica.Perf.Measurement.Catalog;

/// <summary>The services that the quotation's flow calls, in calling order.</summary>
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

    /// <summary>The calls of one operation, including those of the policy's instance.</summary>
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

/// <summary>One call of a service.</summary>
/// <param name="Service">The name of the service, for instance <c>quotation.load</c>.</param>
/// <param name="Attempt">1 for the operation's first call of this service.</param>
internal readonly record struct ServiceCall(int Operation, string Service, int Attempt, bool Succeeded);

/// <summary>A service call that fails on purpose.</summary>
internal sealed class ServiceUnavailableException(string service) : Exception($"The service '{service}' did not answer.");
