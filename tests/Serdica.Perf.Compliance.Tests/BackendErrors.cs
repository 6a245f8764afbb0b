namespace Serdica.Perf.Compliance;

internal static class BackendErrors
{
    /// <summary>The error that a call of the backend must fail with.</summary>
    public static Task<WorkflowBackendException> BackendFails(Func<Task> call) => Assert.ThrowsAsync<WorkflowBackendException>(call);
}
