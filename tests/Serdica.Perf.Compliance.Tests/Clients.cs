namespace Serdica.Perf.Compliance;

/// <summary>Calls of clients as most tests make them.</summary>
internal static class Clients
{
    /// <summary>Starts from an empty ledger.</summary>
    public static Task<StartedInstance> StartAsync(
        this WorkflowClient client,
        WorkflowDefinition<Ledger> definition,
        string? businessKey = null
    ) => client.StartAsync(definition, new Ledger(), businessKey, Token);

    public static Task<PublishOutcome> SendAsync<T>(this WorkflowClient client, Guid instanceId, string signal, T payload) =>
        client.SignalAsync(instanceId, signal, payload, cancellationToken: Token);
}
