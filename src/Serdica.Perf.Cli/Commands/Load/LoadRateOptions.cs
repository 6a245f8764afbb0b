namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>How much load there is and in which form: a rate, steps, callers, a backlog, or a search for the highest rate.</summary>
internal sealed class LoadRateOptions(Command command)
{
    private readonly Option<string?> _rate = command.Text(
        "--rate",
        "N[,N...]|P%",
        "Operations per second on a schedule (open load). Several rates, comma-separated, are steps. "
            + "70% is a share of the measured maximum.",
        "-e",
        "--events"
    );
    private readonly Option<string?> _ramp = command.Text(
        "--ramp",
        "N",
        "Steps up to this rate. --ramp-from sets the rate of the first step, and --ramp-by the increase in each further step."
    );
    private readonly Option<string?> _rampFrom = command.Text(
        "--ramp-from",
        "SHARE",
        "The first step of a ramp, as a share of its rate. Default 50%."
    );
    private readonly Option<string?> _rampBy = command.Text(
        "--ramp-by",
        "SHARE",
        "The increase in each step of a ramp, as a share of its rate. Default 25%."
    );
    private readonly Option<string?> _oscillate = command.Text(
        "--oscillate",
        "LOW..HIGH",
        "A rate that alternates between two values, each for half a period. The high one comes first."
    );
    private readonly Option<string?> _period = command.Text("--period", "TIME", "The period of --oscillate. Default 10s.");
    private readonly Option<string?> _backlogBetween = command.Text(
        "--backlog-between",
        "LOW..HIGH",
        "With a rate: operations arrive until HIGH are in flight, pause until LOW are left, and arrive again."
    );
    private readonly Option<string?> _users = command.Text(
        "--users",
        "N|MIN..MAX",
        "Alone: N callers, each of which waits for its own completion (closed load). "
            + "With a rate: the number of callers at the start and the highest number.",
        "-c",
        "--concurrency"
    );
    private readonly Option<string?> _backlog = command.Text(
        "--backlog",
        "N",
        "Prepares N operations before the workers start, and measures how fast they drain this backlog."
    );
    private readonly Option<bool> _findMaximum = command.Switch(
        "--find-max",
        "Searches for the highest rate that holds, by bisection. Each trial lasts --duration. The rate that is found must then hold "
            + "for --confirm."
    );
    private readonly Option<string?> _confirm = command.Text(
        "--confirm",
        "TIME",
        "How long the rate that --find-max finds must hold; never shorter than --duration. A time below the default is reported as "
            + $"short. --scale does not change it. Default {Quantity.Text(MaximumSearch.ShortestConfirmation)}."
    );
    private readonly Option<string?> _reads = command.Text("--reads", "N", "Reads N instances per second in parallel with the load.");
    private readonly Option<string?> _arrivals = command.Text(
        "--arrivals",
        "uniform|poisson",
        "The distribution of arrivals. Default poisson."
    );
    private readonly Option<string?> _seed = command.Text("--seed", "N", "The seed of random arrivals. Default 1.");
    private readonly LoadStepOptions _steps = new(command.Group("Steps"));

    public LoadProfile Apply(LoadProfile profile, TypedValues typed)
    {
        var applied = _steps.Apply(profile, typed) with { Seed = typed.Count(_seed) ?? profile.Seed };
        return applied with { Steps = Steps(applied, typed) };
    }

    /// <summary>Whether to search for the highest rate that holds.</summary>
    public bool FindsMaximum(TypedValues typed) => typed.IsSet(_findMaximum);

    /// <summary>How long the rate that is found must hold.</summary>
    public TimeSpan Confirmation(LoadProfile profile, TypedValues typed) =>
        MaximumSearch.Confirmation(typed.Duration(_confirm) ?? MaximumSearch.ShortestConfirmation, profile.Steps[0].Duration);

    /// <exception cref="LoadProfileException">The steps cannot be run, or not by a search or this number of generators.</exception>
    public void Check(LoadProfile profile, int generators, TypedValues typed)
    {
        if (_steps.Duration(typed) is { } duration && duration <= TimeSpan.Zero)
            throw typed.Error($"{_steps.DurationName} is 0, so nothing would be measured; it must be longer than 0s");
        if (profile.Steps.Any(step => step is { Operations: 0 }))
            throw typed.Error($"{_steps.OperationsName} is 0, so nothing would be measured; it must be 1 or more");
        if (
            FindsMaximum(typed)
            && new[] { _rate, _ramp, _oscillate, _backlog }.FirstOrDefault(option => typed.Text(option) is not null) is { } load
        )
            throw typed.Error($"{_findMaximum.Name} finds the rate by itself; leave {load.Name} out");
        typed.RefuseWithout(_findMaximum.Name, FindsMaximum(typed), _confirm);
        if (profile.Steps.Any(step => step is { Wave.Period: var period } && period <= TimeSpan.Zero))
            throw typed.Error($"{_period.Name} is 0; it must be longer than 0s");
        if (FindsMaximum(typed) && profile.Steps.Any(step => step.Repeat is not null))
        {
            throw typed.Error(
                $"{_findMaximum.Name} confirms its result with a separate step; leave --repeat out, or repeat the rate that it finds"
            );
        }

        if (FindsMaximum(typed) && profile.Steps is not [{ Kind: LoadKind.Open, Wave: null, BacklogBetween: null }])
        {
            throw typed.Error(
                $"{_findMaximum.Name} searches the rate of one open step; leave out what gives the load more steps, callers, a backlog or "
                    + "another rate"
            );
        }

        if (typed.Text(_backlogBetween) is not null && profile.Steps.All(step => step.Kind != LoadKind.Open))
            throw typed.Error($"{_backlogBetween.Name} needs a rate at which the backlog grows; leave it out, or give {_rate.Name}");
        if (typed.Range(_users) is { } range && range.Min < range.Max && profile.Steps.All(step => step.Kind != LoadKind.Open))
            throw typed.Error($"{_users.Name} has a highest number only with a rate; give one number, or add {_rate.Name}");
        if (generators > 1 && FindsMaximum(typed))
            throw typed.Error($"{_findMaximum.Name} uses one generator; leave --generators out");
        if (generators > 1 && profile.Steps.Any(step => step.ShareOfMaximum is not null))
        {
            throw typed.Error("Each of several generators would measure its own maximum; with --generators give the rate as a number");
        }
    }

    /// <summary>A rate, callers or a backlog on the command line replace the profile's steps; the other options change them.</summary>
    private IReadOnlyList<LoadStep> Steps(LoadProfile profile, TypedValues typed)
    {
        var users = typed.Range(_users);
        var between = typed.Range(_backlogBetween);
        CheckBounds(users, between, typed);
        var rates = typed.Rates(_rate);
        var ramp = typed.PerSecond(_ramp);
        var backlog = typed.Backlog(_backlog);
        var oscillate = typed.Range(_oscillate);
        if (new object?[] { rates, ramp, backlog, oscillate }.Count(value => value is not null) > 1)
            throw typed.Error($"{_rate.Name}, {_ramp.Name}, {_oscillate.Name} and {_backlog.Name} exclude each other");
        typed.RefuseWithout(_oscillate.Name, oscillate is not null, _period);
        typed.RefuseWithout(_ramp.Name, ramp is not null, _rampFrom, _rampBy);
        LoadStep Changed(LoadStep step) => this.Changed(step, users, between, typed);
        var open = Changed(new() { Name = "rate", Kind = LoadKind.Open });
        if (ramp is { } target)
        {
            return
            [
                .. LoadSteps.Ramp(
                    open with { Name = "ramp", PerSecond = target },
                    typed.Share(_rampFrom) ?? LoadSteps.RampFrom,
                    typed.Share(_rampBy) ?? LoadSteps.RampBy
                ),
            ];
        }

        if (rates is not null)
        {
            return LoadSteps.WithUniqueNames(
                rates.SelectMany(rate =>
                    rate.PerSecond is { } perSecond
                        ? LoadSteps.At(open, [perSecond])
                        : [open with { Name = $"share-{rate.ShareOfMaximum * 100:0}", ShareOfMaximum = rate.ShareOfMaximum }]
                )
            );
        }

        if (oscillate is { } wave)
            return [LoadSteps.Oscillating(open with { Name = "oscillate" }, wave.Min, wave.Max, typed.Duration(_period))];
        if (backlog is { } size)
            return
            [Changed(new() { Name = "burn-down", Kind = LoadKind.BurnDown, Backlog = size })];
        if (profile.Steps.Count > 0)
            return [.. profile.Steps.Select(Changed)];
        if (FindsMaximum(typed))
            return [open];
        return users is not null
            ? [Changed(new() { Name = "users", Kind = LoadKind.Closed })]
            : throw typed.Error("There is no load: give --rate, --ramp, --oscillate, --users, --backlog, --find-max or --profile");
    }

    private LoadStep Changed(LoadStep step, (int Min, int Max)? users, (int Min, int Max)? between, TypedValues typed)
    {
        var bounded =
            between is { } bounds && step.Kind == LoadKind.Open ? LoadSteps.WithBacklogBetween(step, bounds.Min, bounds.Max) : step;
        return _steps.Apply(bounded, typed) with
        {
            MinUsers = users?.Min ?? step.MinUsers,
            MaxUsers = users?.Max ?? bounded.MaxUsers,
            ReadsPerSecond = typed.Decimal(_reads) ?? step.ReadsPerSecond,
            Arrivals = typed.Word<ArrivalPattern>(_arrivals) ?? step.Arrivals,
        };
    }

    private void CheckBounds((int Min, int Max)? users, (int Min, int Max)? between, TypedValues typed)
    {
        if (between is { } wanted && users is { } few && few.Max < wanted.Max)
        {
            throw typed.Error(
                $"{_users.Name} allows {few.Max} in flight, so {_backlogBetween.Name} never reaches {wanted.Max}; "
                    + $"allow more callers, or leave {_users.Name} out"
            );
        }
    }
}
