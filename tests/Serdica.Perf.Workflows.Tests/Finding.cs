namespace Serdica.Perf.Workflows.Tests;

/// <summary>A store in which a look for an instance finds what the test says.</summary>
internal sealed class Finding(Func<InstanceRecord?> find) : BackendDecorator(new InMemoryWorkflowBackend())
{
    public override Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken) => Task.FromResult(find());
}
