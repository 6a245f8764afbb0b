namespace Serdica.Perf.Workflows.Tests;

/// <summary>What is refused when definitions, names and options are put together.</summary>
public sealed class DefinitionTests
{
    [Theory]
    [InlineData("")]
    [InlineData("  ")]
    [InlineData("new\nline")]
    [InlineData("half \uD83C")]
    public void Name_that_cannot_be_stored_is_refused(string name)
    {
        Assert.Throws<ArgumentException>(() => Workflow.Define<Tally>(name));
        Assert.Throws<ArgumentException>(() => Workflow.Define<Tally>("sound").Do(name, _ => { }));
    }

    [Fact]
    public void Name_is_bounded_at_200_characters()
    {
        Workflow.Define<Tally>(new string('n', 200));

        Assert.Throws<ArgumentException>(() => Workflow.Define<Tally>(new string('n', 201)));
    }

    [Fact]
    public void Definition_needs_a_step_and_a_version_from_one_on()
    {
        Assert.Throws<InvalidOperationException>(() => Workflow.Define<Tally>("empty").Build());
        Assert.Throws<ArgumentOutOfRangeException>(() => Workflow.Define<Tally>("zero", 0));
    }

    [Fact]
    public void Step_names_are_unique()
    {
        var builder = Workflow.Define<Tally>("twice").Do("same", _ => { });

        Assert.Contains("'same'", Assert.Throws<ArgumentException>(() => builder.Do("same", _ => { })).Message);
    }

    [Fact]
    public void Timeout_and_its_handler_go_together() =>
        Assert.Throws<ArgumentException>(() =>
            Workflow.Define<Tally>("half").WaitFor<int>("go", (_, _, _) => Next.Step, timeout: FromSeconds(1))
        );

    [Fact]
    public void Wait_that_would_be_over_at_once_is_refused() =>
        Assert.Contains(
            "Leave it out to wait for ever",
            Assert
                .Throws<ArgumentException>(() =>
                    Workflow
                        .Define<Tally>("endless")
                        .WaitFor<int>("go", (_, _, _) => Next.Step, timeout: Timeout.InfiniteTimeSpan, onTimeout: (_, _) => Next.Step)
                )
                .Message
        );

    [Theory]
    [InlineData(0, 0.1, 2, 0.2, 30)]
    [InlineData(1, 5, 2, 0.2, 1)]
    [InlineData(1, 0.1, 0.5, 0.2, 30)]
    [InlineData(1, 0.1, double.NaN, 0.2, 30)]
    [InlineData(1, 0.1, 2, 1.5, 30)]
    [InlineData(1, -1, 2, 0.2, 30)]
    public void Retry_policy_that_makes_no_sense_is_refused(int attempts, double first, double factor, double jitter, double max)
    {
        var retry = new RetryPolicy
        {
            MaxAttempts = attempts,
            FirstDelay = FromSeconds(first),
            Factor = factor,
            Jitter = jitter,
            MaxDelay = FromSeconds(max),
        };

        Assert.Contains("owner", Assert.Throws<ArgumentException>(() => retry.Validate("owner")).Message);
    }

    /// <summary>A part of such a time is none for a timer.</summary>
    [Theory]
    [InlineData(9.9, 8, "MaxPollInterval is 00:00:00.0099000; it must be at least 00:00:00.01")]
    [InlineData(10, 7.9, "DecideTimeout is 00:00:00.0079000; it must be at least 00:00:00.008")]
    [InlineData(10, 8, "valid")]
    public void Times_that_are_too_short_for_a_timer_are_refused(double poll, double decide, string refusal)
    {
        var (pollInterval, limit) = (FromMilliseconds(poll), FromMilliseconds(decide));
        var options = new WorkflowOptions { MaxPollInterval = pollInterval, DecideTimeout = limit };

        Assert.Contains(refusal, Record.Exception(options.Validate)?.Message ?? "valid");
    }

    [Fact]
    public void Retry_pauses_grow_to_the_cap_and_jitter_only_adds()
    {
        var retry = new RetryPolicy { FirstDelay = FromSeconds(1), MaxDelay = FromSeconds(5), Jitter = 0.2 };

        Assert.Equal([1, 2, 4, 5, 5], Range(1, 5).Select(attempt => retry.DelayAfter(attempt, 0).TotalSeconds));
        Assert.Equal(6, retry.DelayAfter(int.MaxValue, 1).TotalSeconds);
    }

    [Fact]
    public void Activity_timeout_beyond_what_a_timer_can_wait_is_refused() =>
        Assert.Throws<ArgumentException>(() =>
            Workflow
                .Define<Tally>("slow")
                .Activity("call", (_, _) => Task.CompletedTask, new ActivityOptions { Timeout = FromDays(60) })
        );

    [Fact]
    public void Registry_starts_the_newest_version_and_refuses_a_double()
    {
        var first = Workflow.Define<Tally>("both").Do("a", _ => { }).Build();
        var second = Workflow.Define<Tally>("both", 2).Do("a", _ => { }).Build();

        Assert.Same(second, new WorkflowRegistry([second, first]).Newest<Tally>("both"));
        Assert.Throws<ArgumentException>(() => new WorkflowRegistry([first, first]));
        Assert.Contains(
            "both",
            Assert.Throws<UnknownDefinitionException>(() => new WorkflowRegistry([first]).Newest<Tally>("neither")).Message
        );
        Assert.Throws<UnknownDefinitionException>(() => new WorkflowRegistry([first]).Newest<string>("both"));
    }

    [Theory]
    [InlineData(0, """{"activity":{"id":"01234567-89ab-cdef-0123-456789abcdef","attempt":0}}""")]
    [InlineData(1, """{"activity":{"id":"01234567-89ab-cdef-0123-456789abcdef"}}""")]
    [InlineData(2, """{"activity":{"id":"01234567-89ab-cdef-0123-456789abcdef","attempt":2}}""")]
    public void Progress_names_only_what_is_not_usual(int attempt, string stored)
    {
        var id = Guid.Parse("01234567-89ab-cdef-0123-456789abcdef");
        var progress = new Progress { Activity = new PendingActivity { Id = id, Attempt = attempt } };

        Assert.Equal(stored, Encoding.UTF8.GetString(progress.Write()!));
        Assert.Equal(progress, Progress.Read(progress.Write()));
    }

    [Fact]
    public void Progress_comes_back_as_it_was_written()
    {
        var progress = new Progress
        {
            Inbox =
            [
                new BufferedSignal
                {
                    Id = Guid.CreateVersion7(),
                    Kind = SignalKind.External,
                    Name = "early",
                    Payload = [1, 2],
                    Failures = 2,
                    NotBefore = DateTimeOffset.UnixEpoch,
                },
            ],
            TimerId = Guid.CreateVersion7(),
            Activity = new PendingActivity { Id = Guid.CreateVersion7(), Attempt = 0 },
            Children = new ChildFamily
            {
                First = Guid.CreateVersion7(),
                Count = 9,
                Closed = [1, 0],
                Reports =
                [
                    [3],
                ],
                Continued = new() { [0] = Guid.CreateVersion7() },
            },
            RetryId = Guid.CreateVersion7(),
            ContinuedAs = Guid.CreateVersion7(),
            ReportsAs = Guid.CreateVersion7(),
        };

        var read = Progress.Read(progress.Write());

        Assert.Equal(progress.Write(), read.Write());
        Assert.Equal((SignalKind.External, "early", 2), (read.Inbox![0].Kind, read.Inbox[0].Name, read.Inbox[0].Failures));
        Assert.Equal(progress.Activity, read.Activity);
        Assert.Null(new Progress().Write());
    }

    [Fact]
    public void Registry_refuses_a_continuation_whose_name_it_lacks()
    {
        var definition = Workflow.Define<Tally>("first").ContinueWith("on", "nowhere", (Tally tally) => tally).Build();

        var error = Assert.Throws<UnknownDefinitionException>(() => new WorkflowRegistry([definition]));

        Assert.Contains("Step 'on' of first v1 continues with 'nowhere'", error.Message);
        Assert.Contains("Registered: first", error.Message);
    }

    [Fact]
    public void Registry_refuses_a_continuation_with_another_state()
    {
        var first = Workflow.Define<Tally>("first").ContinueWith("on", "next", (Tally _) => new List<int>()).Build();
        var next = Workflow.Define<Tally>("next").Do("only", _ => { }).Build();

        var error = Assert.Throws<UnknownDefinitionException>(() => new WorkflowRegistry([first, next]));

        Assert.Contains("The state of next v1 is not", error.Message);
    }

    [Fact]
    public void Definition_can_continue_itself()
    {
        var loop = Workflow
            .Define<Tally>("loop")
            .WaitFor<int>("go", (_, _) => { })
            .ContinueWith("again", "loop", (Tally tally) => tally)
            .Build();

        Assert.Single(new WorkflowRegistry([loop]).Definitions);
    }
}
