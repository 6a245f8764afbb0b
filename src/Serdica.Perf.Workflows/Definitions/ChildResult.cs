namespace Serdica.Perf.Workflows;

/// <summary>How a child ended.</summary>
/// <param name="InstanceId">The child, as it was started.</param>
/// <param name="Status">Completed, Faulted or Cancelled.</param>
/// <param name="State">Its last state.</param>
/// <param name="Error">Why it faulted or was cancelled.</param>
public sealed record ChildResult<TChild>(Guid InstanceId, InstanceStatus Status, TChild State, string? Error);
