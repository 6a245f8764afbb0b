namespace Serdica.Perf.Workflows;

public static class InstanceStatusExtensions
{
    /// <summary>Whether nothing can happen to the instance any more.</summary>
    public static bool IsClosed(this InstanceStatus status) => status >= InstanceStatus.Completed;
}
