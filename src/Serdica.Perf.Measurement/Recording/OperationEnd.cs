namespace Serdica.Perf.Measurement.Recording;

/// <summary>What became of an operation.</summary>
public enum OperationEnd
{
    Completed,

    Failed,

    /// <summary>It was never begun, since no caller was free for it for too long.</summary>
    Dropped,
}
