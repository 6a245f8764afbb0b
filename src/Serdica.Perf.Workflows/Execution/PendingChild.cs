namespace Serdica.Perf.Workflows;

/// <summary>A child that the instance waits for.</summary>
internal sealed record PendingChild
{
    public required Guid Id { get; init; }

    /// <summary>How it ended, once it has.</summary>
    public byte[]? Report { get; init; }
}
