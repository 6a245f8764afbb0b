using Microsoft.Extensions.Logging;

namespace Serdica.Perf.Workflows.Tests;

public sealed class LeaseHoldTests
{
    private static readonly WorkflowOptions Options = new() { ActivityLease = FromSeconds(10) };

    private static readonly WorkflowDefinition Quick =
        Workflow.Define<Tally>("quick").Activity("work", static (_, _) => Task.CompletedTask).Build();

    private readonly ManualTimeProvider _clock = new();

    /// <summary>The database counts from when it wrote the lease: another host may have it while this one still counts.</summary>
    [Fact]
    public async Task Lease_is_counted_from_before_the_commit_that_wrote_it()
    {
        var leasedAt = _clock.GetTimestamp();
        _clock.Advance(FromSeconds(6));

        await RunUntilCutAsync(leasedAt, static _ => Task.CompletedTask, FromSeconds(3));
    }

    [Fact]
    public async Task Extension_is_counted_from_before_the_call_that_wrote_it()
    {
        // The call takes two of the nine seconds that the lease holds.
        await RunUntilCutAsync(_clock.GetTimestamp(), runner => runner.ExtendLeasesAsync(Token), FromSeconds(7));
    }

    [Fact]
    public async Task Lease_of_an_activity_that_has_ended_is_not_extended()
    {
        await using var backend = new InMemoryWorkflowBackend(_clock);
        var extending = new SlowExtensions(backend, _clock);
        await using var client = NewClient(extending, Quick);
        var runner = NewRunner(extending, client);
        Assert.True(runner.TryReserve());
        runner.Run(Leased(Quick), _clock.GetTimestamp());
        await runner.DisposeAsync();

        await runner.ExtendLeasesAsync(Token);

        Assert.Equal(0, extending.Calls);
    }

    /// <summary>A driver asks its server to cancel the statement, and waits for a server that does not answer.</summary>
    [Fact]
    public async Task Extension_without_an_answer_fails_in_time_however_long_its_cancellation_takes()
    {
        var mayEnd = new TaskCompletionSource();
        await using var backend = new HangingExtensions(new InMemoryWorkflowBackend(_clock), mayEnd.Task);
        await using var client = NewClient(backend);
        var runner = NewRunner(backend, client);

        var running = runner.TryRunFoundAsync(Leased(Endless(new(), new())), Token);
        _clock.Advance(Options.ActivityLease / 3);
        var error = await Record.ExceptionAsync(() => running.InTime());
        mayEnd.SetResult();

        Assert.Contains("has not answered", error?.Message);
    }

    /// <summary>The commit that leases it is still under way.</summary>
    [Fact]
    public async Task Lease_that_may_be_there_is_asked_for_until_it_must_have_ended_and_so_is_the_next()
    {
        var asked = 0;
        InstanceRecord? record = null;
        await using var backend = new Finding(() => Interlocked.Increment(ref asked) > 0 ? record : null);
        await using var client = NewClient(backend);
        await using var runner = NewRunner(backend, client);
        for (var lease = 0; lease < 2; lease++)
        {
            var (before, last) = (Volatile.Read(ref asked), -1);
            var leased = Leased(Quick);
            record = new()
            {
                Id = leased.Lease.InstanceId,
                Definition = "quick",
                DefinitionVersion = 1,
                Step = "work",
                Status = InstanceStatus.Running,
                Version = 1,
                State = [],
                Progress = new Progress { Activity = new() { Id = leased.Lease.ActivityId, Attempt = 0 } }.Write(),
            };
            runner.Suspect([leased], _clock.GetTimestamp());
            await HangGuard.UntilAsync(() => AskedAfter(FromMilliseconds(5)) > before + 1, () => "nobody asks for the lease");

            await HangGuard.UntilAsync(() => last == (last = AskedAfter(runner.LocalHold)), () => "the lease is asked for without end");
        }

        int AskedAfter(TimeSpan pause)
        {
            _clock.Advance(pause);
            return Volatile.Read(ref asked);
        }
    }

    /// <summary>A report withdraws the lease in its commit, so an extension at the same time finds none.</summary>
    [Fact]
    public async Task Lease_that_a_report_has_withdrawn_is_not_a_lost_one_and_a_host_that_stops_waits_for_the_report()
    {
        await using var backend = new InMemoryWorkflowBackend(_clock);
        var log = new LogList<ActivityRunner>();
        var reporting = new SlowReports(backend);
        await using var client = NewClient(reporting, Quick);
        var runner = NewRunner(reporting, client, log);
        Assert.True(runner.TryReserve());
        runner.Run(Leased(Quick), _clock.GetTimestamp());
        await reporting.Begun.Task.InTime();

        await runner.ExtendLeasesAsync(Token);
        var made = _clock.TimersMade;
        var stop = runner.StopAsync(new CancellationToken(canceled: true));
        await HangGuard.UntilAsync(() => _clock.TimersMade > made || stop.IsCompleted, () => "the host waits, or has stopped");
        reporting.End.SetResult();
        await stop.InTime();

        Assert.Empty(log.Lines);
    }

    [Fact]
    public async Task Host_whose_stop_is_cut_short_cancels_its_activities_at_once()
    {
        var begun = new TaskCompletionSource();
        var cut = new TaskCompletionSource();
        var clock = new ClockOfTheDrain(2 * HangGuard.Limit);
        var definition = Endless(begun, cut);
        await using var backend = new InMemoryWorkflowBackend();
        var options = Options with { DrainTimeout = clock.Drain, ActivityLease = FromHours(1) };
        await using var host = new WorkflowHost(backend, new([definition]), options, time: clock);
        await host.StartAsync(Token);
        await host.Client.StartAsync(definition, new Tally(), cancellationToken: Token);
        await begun.Task.InTime();
        using var impatient = new CancellationTokenSource();

        var stop = host.StopAsync(impatient.Token);
        await clock.Begun.Task.InTime();
        Assert.False(cut.Task.IsCompleted);
        await impatient.CancelAsync();

        await stop.InTime();
        Assert.True(cut.Task.IsCompleted);
    }

    /// <summary>A database that stands still between a lease and the answer to its commit gives it away as soon as it goes on.</summary>
    [Fact]
    public async Task Activity_whose_lease_has_ended_before_it_was_known_never_begins()
    {
        var begun = new TaskCompletionSource();
        await using var backend = new InMemoryWorkflowBackend(_clock);
        await using var client = NewClient(backend);
        await using var runner = NewRunner(backend, client);
        var leasedAt = _clock.GetTimestamp();
        _clock.Advance(FromSeconds(9));

        Assert.True(runner.TryReserve());
        runner.Run(Leased(Endless(begun, new())), leasedAt);
        var free = runner.FreePlaces;

        // However it ends, the runner must not wait for a clock that stands still.
        _clock.Advance(FromMinutes(1));
        Assert.Equal(Options.MaxActivities, free);
        Assert.False(begun.Task.IsCompleted);
    }

    /// <summary>Where threads are short, the timer of the deadline waits for one as the code does.</summary>
    [Fact]
    public void Code_that_gets_a_thread_after_the_end_of_its_lease_does_not_begin_though_no_timer_has_fired()
    {
        var clock = new ClockWithoutTimers();
        using var running = new RunningActivity(Leased(Endless(new(), new())), clock);

        running.HoldFor(FromHours(1));
        Assert.True(running.MayBegin());
        clock.Now += FromHours(1);

        Assert.False(running.MayBegin());
        Assert.Equal((true, true), (running.Expired, running.Cancellation.IsCancellationRequested));
    }

    /// <summary>The wait for it may end by its time limit first, where threads are short.</summary>
    [Fact]
    public async Task Cancellation_on_its_way_reaches_code_that_nobody_waits_for_any_more()
    {
        var heard = new TaskCompletionSource();
        var running = new RunningActivity(Leased(Quick), _clock);
        running.Cancellation.Register(heard.SetResult);

        running.Cancel();
        running.Dispose();

        await heard.Task.InTime();
    }

    private WorkflowClient NewClient(IWorkflowBackend backend, params WorkflowDefinition[] definitions) =>
        new(backend, new(definitions), Options, _clock);

    private ActivityRunner NewRunner(IWorkflowBackend backend, WorkflowClient client, ILogger? log = null) =>
        new(backend, client, Options, new CounterSet(), _clock, log ?? NullLogger.Instance);

    /// <summary>Runs an activity that only its cancellation ends.</summary>
    /// <param name="leasedAt">The clock's reading before its lease was written.</param>
    /// <param name="left">How long the lease holds after that.</param>
    private async Task RunUntilCutAsync(long leasedAt, Func<ActivityRunner, Task> act, TimeSpan left)
    {
        var begun = new TaskCompletionSource();
        var cut = new TaskCompletionSource();
        var definition = Endless(begun, cut);
        await using var backend = new InMemoryWorkflowBackend(_clock);
        var extending = new SlowExtensions(backend, _clock);
        await using var client = NewClient(extending, definition);
        await using var runner = NewRunner(extending, client);

        Assert.True(runner.TryReserve());
        runner.Run(Leased(definition), leasedAt);
        try
        {
            await begun.Task.InTime();
            await act(runner);
            _clock.Advance(left - FromTicks(1));
            Assert.False(cut.Task.IsCompleted);
            _clock.Advance(FromTicks(1));
            await cut.Task.InTime();
        }
        finally
        {
            // However it ends, the runner must not wait for a clock that stands still.
            _clock.Advance(FromMinutes(1));
        }
    }

    private static WorkflowDefinition<Tally> Endless(TaskCompletionSource begun, TaskCompletionSource cut) =>
        Workflow
            .Define<Tally>("slow")
            .Activity<int>(
                "work",
                (_, context) => WorkAsync(begun, cut, context.CancellationToken),
                static (_, _) => { },
                new ActivityOptions { Timeout = FromHours(1) }
            )
            .Build();

    private static LeasedActivity Leased(WorkflowDefinition definition) =>
        new(new ActivityLease(Guid.CreateVersion7(), Guid.CreateVersion7(), 1), definition, "work", null) { State = "{}"u8.ToArray() };

    private static async Task<int> WorkAsync(TaskCompletionSource begun, TaskCompletionSource cut, CancellationToken cancellation)
    {
        await using var registration = cancellation.Register(cut.SetResult);
        begun.SetResult();
        await Task.Delay(Timeout.Infinite, cancellation);
        return 1;
    }

    /// <summary>The system's clock; says when the wait for the activities begins.</summary>
    private sealed class ClockOfTheDrain(TimeSpan drain) : TimeProvider
    {
        public TimeSpan Drain => drain;

        public TaskCompletionSource Begun { get; } = new();

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            if (dueTime == drain)
                Begun.TrySetResult();
            return base.CreateTimer(callback, state, dueTime, period);
        }
    }

    /// <summary>Accepts a report when the test says so, and has no lease any more.</summary>
    private sealed class SlowReports(IWorkflowBackend inner) : BackendDecorator(inner)
    {
        public TaskCompletionSource Begun { get; } = new();

        public TaskCompletionSource End { get; } = new();

        public override Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken)
        {
            Begun.TrySetResult();
            return End.Task;
        }

        public override Task<IReadOnlyList<ActivityLease>> ExtendLeasesAsync(
            IReadOnlyList<ActivityLease> leases,
            TimeSpan duration,
            CancellationToken cancellationToken
        ) => Task.FromResult(leases);
    }

    private sealed class ClockWithoutTimers : TimeProvider
    {
        public TimeSpan Now { get; set; }

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => Now.Ticks;
    }

    private sealed class HangingExtensions(IWorkflowBackend inner, Task mayEnd) : BackendDecorator(inner)
    {
        public override Task<IReadOnlyList<ActivityLease>> ExtendLeasesAsync(
            IReadOnlyList<ActivityLease> leases,
            TimeSpan duration,
            CancellationToken cancellationToken
        )
        {
            cancellationToken.Register(mayEnd.Wait);
            return new TaskCompletionSource<IReadOnlyList<ActivityLease>>().Task;
        }
    }

    /// <summary>Extends every lease, two seconds after the call.</summary>
    private sealed class SlowExtensions(IWorkflowBackend inner, ManualTimeProvider clock) : BackendDecorator(inner)
    {
        public int Calls { get; private set; }

        public override Task<IReadOnlyList<ActivityLease>> ExtendLeasesAsync(
            IReadOnlyList<ActivityLease> leases,
            TimeSpan duration,
            CancellationToken cancellationToken
        )
        {
            Calls++;
            clock.Advance(FromSeconds(2));
            return Task.FromResult<IReadOnlyList<ActivityLease>>([]);
        }
    }
}
