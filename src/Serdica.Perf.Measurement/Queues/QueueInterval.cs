namespace Serdica.Perf.Measurement.Queues;

/// <summary>One line of the interim report.</summary>
/// <param name="AtSeconds">End of the interval, from the begin.</param>
/// <param name="WrittenPerSecond">Within the interval.</param>
/// <param name="ReadPerSecond">Within the interval; copies count.</param>
/// <param name="Unread">At its end.</param>
/// <param name="EndToEndP99Ms">Of the messages read within it.</param>
public sealed record QueueInterval(double AtSeconds, double WrittenPerSecond, double ReadPerSecond, long Unread, double? EndToEndP99Ms);
