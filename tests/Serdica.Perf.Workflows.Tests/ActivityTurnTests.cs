using FsCheck;
using FsCheck.Fluent;

namespace Serdica.Perf.Workflows.Tests;

/// <summary>An activity has one signal at any time, whatever comes in whatever order and however late.</summary>
public sealed class ActivityTurnTests
{
    private static readonly RetryPolicy Retry = new() { MaxAttempts = 3, IsFinal = static _ => false };

    private static DateTimeOffset Now { get; } = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    [Fact]
    public void No_decision_ever_holds_two_rows_with_one_key()
    {
        var seeds = Gen.Choose(0, int.MaxValue);
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(2_000), Prop.ForAll(Arb.From(seeds), seed => new Life(new Random(seed)).Run()));
    }

    /// <summary>One instance among the rows of its signals, which fall due at random and come in random order.</summary>
    private sealed class Life(Random random)
    {
        private readonly Dictionary<Guid, Signal> _rows = [];
        private readonly HashSet<ActivityLease> _leases = [];
        private InstanceRecord _record = null!;

        public bool Run()
        {
            var definition = Workflow
                .Define<Tally>("failing")
                .Activity<int>(
                    "first",
                    (_, _) => Task.FromResult(1),
                    Handle,
                    new ActivityOptions { Retry = Retry },
                    (_, _, _) => Next.GoTo("second")
                )
                .Activity<int>(
                    "second",
                    (_, _) => Task.FromResult(1),
                    Handle,
                    new ActivityOptions { Retry = Retry },
                    (_, _, _) => Next.GoTo("first")
                )
                .WaitFor<int>("more", (_, _, _) => Next.GoTo("first"))
                .Build();
            var environment = new TurnEnvironment(new WorkflowOptions(), new ManualTimeProvider())
            {
                CanRunActivity = () => random.Next(3) > 0,
            };
            var begun = definition.BeginTurn(
                environment,
                new NewInstance(Guid.CreateVersion7(), null, null, null, Now),
                new Tally(),
                inline: false
            );
            begun.RunFirstSteps();
            Note(begun);
            Write(begun.FinishStart());
            for (var turn = 0; turn < 30 && !_record.Status.IsClosed(); turn++)
            {
                var claimed = new ClaimedInstance(_record);
                claimed.Signals.AddRange(Due());
                if (claimed.Signals.Count == 0)
                    continue;
                foreach (var signal in claimed.Signals)
                    _rows.Remove(signal.Id);
                var next = definition.ContinueTurn(environment, claimed, Now);
                Note(next);
                Write(next.Decision);
            }

            return true;
        }

        private Next Handle(Tally tally, int number, StepContext context) =>
            random.Next(4) == 0 ? throw new FormatException("Not this time.") : Next.Step;

        /// <summary>Some of the rows, and reports of attempts that are, or were once, leased.</summary>
        private Signal[] Due()
        {
            var due = _rows.Values.Where(_ => random.Next(2) == 0).ToList();
            due.AddRange(_leases.Where(_ => random.Next(3) == 0).Select(Report));
            if (random.Next(3) == 0)
                due.Add(Signal(SignalKind.External, "more", "1"u8.ToArray()));
            var order = due.ToArray();
            random.Shuffle(order);
            return order;
        }

        private Signal Report(ActivityLease lease)
        {
            var failed = random.Next(2) == 0;
            var report = new ActivityReport
            {
                Activity = lease.ActivityId,
                Error = failed ? "No." : null,
                Result = failed ? [] : "1"u8.ToArray(),
            };
            return Signal(SignalKind.ActivityResult, "call", report.Write()) with { Attempt = lease.Token };
        }

        private Signal Signal(SignalKind kind, string name, byte[] payload) =>
            new() { Id = Guid.CreateVersion7(), InstanceId = _record.Id, Kind = kind, Name = name, Payload = payload };

        private void Note(Turn turn)
        {
            foreach (var lease in turn.Leases ?? [])
                Assert.True(_leases.Add(lease.Lease), $"Attempt {lease.Lease.Token} was leased twice.");
        }

        /// <summary>As a database does: what is withdrawn goes first, then each row needs a key of its own.</summary>
        private void Write(Decision decision)
        {
            _record = decision.Instance!;
            foreach (var id in decision.Withdrawn ?? [])
                _rows.Remove(id);
            foreach (var signal in decision.Sent ?? [])
                Assert.True(
                    _rows.TryAdd(signal.Id, signal),
                    $"Two rows with the key {signal.Id}: {signal} and {_rows.GetValueOrDefault(signal.Id)}."
                );

            var progress = Progress.Read(_record.Progress);
            if (_record.Status.IsClosed() || progress.Activity is not { } activity)
            {
                Assert.DoesNotContain(_rows.Values, signal => signal.Kind == SignalKind.Activity);
                return;
            }

            var mine = _rows.Values.Where(signal => signal.Kind == SignalKind.Activity).ToList();
            if (progress.Inbox?.Exists(kept => kept.Kind == SignalKind.ActivityResult) == true)
                Assert.Empty(mine);
            else
                Assert.Equal((activity.Id, activity.Token), (Assert.Single(mine).Id, mine[0].Attempt));
        }
    }
}
