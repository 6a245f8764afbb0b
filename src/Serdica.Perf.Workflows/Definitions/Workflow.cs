namespace Serdica.Perf.Workflows;

/// <summary>Where a definition begins: <c>Workflow.Define&lt;Order&gt;("order", version: 1)...Build()</c>.</summary>
public static class Workflow
{
    /// <param name="name">Stored with each instance; up to 200 characters.</param>
    /// <param name="version">
    /// Instances go on with the version that they started with, so register old versions as long as they live.
    /// </param>
    /// <typeparam name="TState">Read and written by System.Text.Json between turns.</typeparam>
    public static WorkflowBuilder<TState> Define<TState>(string name, int version = 1)
        where TState : class => new(name, version);
}
