using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Serdica.Perf.Workflows;

/// <summary>Registration with <c>Microsoft.Extensions.Hosting</c>.</summary>
public static class WorkflowServiceCollectionExtensions
{
    /// <summary>
    /// Adds a <see cref="WorkflowHost"/> that starts and stops with the application, and its
    /// <see cref="WorkflowClient"/>. Register an <see cref="IWorkflowBackend"/> and each
    /// <see cref="WorkflowDefinition"/> as singletons beside it.
    /// </summary>
    public static IServiceCollection AddWorkflows(this IServiceCollection services, WorkflowOptions? options = null)
    {
        services.AddSingleton(provider => new WorkflowRegistry(provider.GetServices<WorkflowDefinition>()));
        services.AddSingleton(provider => new WorkflowHost(
            provider.GetRequiredService<IWorkflowBackend>(),
            provider.GetRequiredService<WorkflowRegistry>(),
            options,
            provider.GetService<ILogger<WorkflowHost>>(),
            provider.GetService<TimeProvider>()
        ));
        services.AddSingleton<IHostedService>(provider => provider.GetRequiredService<WorkflowHost>());
        services.AddSingleton(provider => provider.GetRequiredService<WorkflowHost>().Client);
        return services;
    }
}
