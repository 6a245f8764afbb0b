namespace Serdica.Perf.Measurement.Load;

/// <summary>Where a load stands; may be read while it runs.</summary>
public interface ILoadCounts
{
    /// <summary>Operations that a caller has begun.</summary>
    int Started { get; }

    int Completed { get; }

    int Failed { get; }
}
