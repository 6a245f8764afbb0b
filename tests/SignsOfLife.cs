using System.Reflection;
using Xunit.v3;

[assembly: SignsOfLife]

namespace Serdica.Perf.Tests;

/// <summary>
/// Adds a line to the output of a test for each <see cref="Interval"/> that it runs.
/// <para>
/// The adapter of <c>dotnet test</c> reports a crash, and loses the last results, when the process of the tests ends more than 60 s after
/// its last message and the adapter has not read the rest yet (<c>CrashDetectionSinkBase</c> of xunit.v3 3.2.2). Each line is a message.
/// </para>
/// <para>One that runs for longer than <see cref="Limit"/> hangs: it is cancelled, so that it fails by its name and the run ends.</para>
/// </summary>
[AttributeUsage(AttributeTargets.Assembly)]
internal sealed class SignsOfLifeAttribute : BeforeAfterTestAttribute
{
    private readonly ConcurrentDictionary<string, Timer> _timers = new();

    /// <summary>The time from one line to the next; only its own test changes it.</summary>
    public TimeSpan Interval { get; init; } = FromSeconds(20);

    /// <summary>Three times what the longest test has taken on the slowest machine.</summary>
    public TimeSpan Limit { get; init; } = FromMinutes(30);

    public override void Before(MethodInfo methodUnderTest, IXunitTest test)
    {
        var context = TestContext.Current;
        var seconds = 0.0;
        _timers[test.UniqueID] = new(_ => Tick(), null, Interval, Interval);

        void Tick()
        {
            context.TestOutputHelper!.WriteLine(Invariant($"Still running after {seconds += Interval.TotalSeconds:0.###} s."));
            if (seconds >= Limit.TotalSeconds)
                context.CancelCurrentTest();
        }
    }

    /// <summary>Nothing can be written once the test has ended: a line under way is waited for.</summary>
    public override void After(MethodInfo methodUnderTest, IXunitTest test)
    {
        using var ended = new ManualResetEvent(false);
        if (_timers.TryRemove(test.UniqueID, out var timer) && timer.Dispose(ended))
            ended.WaitOne();
    }
}
