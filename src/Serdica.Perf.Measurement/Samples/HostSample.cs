namespace Serdica.Perf.Measurement.Samples;

/// <summary>The machine, everybody's work included.</summary>
/// <param name="LoadAverage">Runnable tasks over the last minute; null where the system does not tell.</param>
/// <param name="Cpu">Busy part of all processors since the sample before, 0 to 1; null in the first and where the system does not tell.</param>
public sealed record HostSample(double? LoadAverage, double? Cpu)
{
    /// <summary>On all interfaces but the loopback since the begin of the window; null where the system does not tell.</summary>
    public long? NetworkReceivedBytes { get; init; }

    /// <summary>The same.</summary>
    public long? NetworkSentBytes { get; init; }

    /// <summary>Requests that the disks of the machine have completed since the begin of the window; null where the system does not tell.</summary>
    public long? DiskReads { get; init; }

    /// <summary>Bytes in them.</summary>
    public long? DiskReadBytes { get; init; }

    /// <inheritdoc cref="DiskReads"/>
    public long? DiskWrites { get; init; }

    /// <inheritdoc cref="DiskReadBytes"/>
    public long? DiskWriteBytes { get; init; }
}
