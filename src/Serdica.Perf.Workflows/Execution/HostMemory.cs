using Microsoft.Extensions.Logging;

namespace Serdica.Perf.Workflows;

/// <summary>What the workers of one host have found out; lost with the process.</summary>
internal sealed class HostMemory(IWorkflowBackend backend, WorkflowOptions options, TimeProvider time, ILogger logger)
{
    public Isolation Isolation { get; } = new(options.InstanceRetry, time);

    public ClosedChildren Children { get; } = new(backend, logger);

    public UnknownDefinitions Unknown { get; } = new();

    /// <summary>Instances that this host cannot read; see <see cref="ParkedInstances"/>.</summary>
    public ParkedInstances Parked { get; } = new(options);
}
