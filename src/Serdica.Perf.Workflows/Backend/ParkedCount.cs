namespace Serdica.Perf.Workflows;

/// <summary>Parked instances of one definition and version.</summary>
/// <param name="Instances">How many.</param>
/// <param name="Example">One of them; its <see cref="InstanceRecord.Error"/> says why it is parked.</param>
public sealed record ParkedCount(long Instances, Guid Example);
