namespace Serdica.Perf.Measurement.Tests.Queues;

/// <summary>Results of queue tests for tests, which change what they are about.</summary>
internal static class SampleQueueTest
{
    /// <summary>One that took half a core.</summary>
    public static QueueTestResult With(int writers, double writtenPerSecond, int repeat = 1, double p99 = 10) =>
        new()
        {
            Verdict = StepVerdict.Passed,
            Reasons = [],
            Repeat = repeat,
            RunId = "run",
            Backend = "in-memory",
            Plan = new() { Writers = writers },
            Written = 100,
            Read = 100,
            WrittenPerSecond = writtenPerSecond,
            ReadPerSecond = writtenPerSecond,
            WrittenMebibytesPerSecond = 0.1,
            ReadMebibytesPerSecond = 0.1,
            PeakUnread = 1,
            UnreadAtEnd = 0,
            Lost = 0,
            Duplicates = 0,
            Write = LatencySummary.Empty,
            ReadTime = LatencySummary.Empty,
            EndToEnd = new() { Count = 100, P99Ms = p99 },
            LimitedBy = "the throttle",
            LimitEvidence = "",
            Resources = [new() { Component = "total", Samples = 10, Cpu = new(0.6, 0.7, 0.5) }],
            Command = "serdica-perf queue",
        };
}
