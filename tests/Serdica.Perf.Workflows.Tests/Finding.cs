namespace Serdica.Perf.Workflows.Tests;

/// <summary>A store without instances that tells of each look for one.</summary>
internal sealed class Finding(Action find) : BackendDecorator(new InMemoryWorkflowBackend())
{
    public override Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken)
    {
        find();
        return base.FindAsync(instanceId, cancellationToken);
    }
}
