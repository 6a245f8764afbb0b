namespace Serdica.Perf.Databases.Tests.Containers;

/// <summary>
/// A container engine without containers: it carries out plans for PostgreSQL with installed programs, each in a folder
/// that stands for the volume. So everything but the library and the isolation is real.
/// </summary>
internal sealed class ProcessEngine(string baseFolder) : IContainerEngine
{
    public const string Name = "Stand-in 1.0";
    public const string MissingImage = "registry.invalid/nowhere:1";

    private readonly List<ProcessContainer> _started = [];

    /// <summary>Containers that others are said to have started.</summary>
    public List<FoundContainer> Others { get; } = [];

    public List<string> Removed { get; } = [];

    public List<ContainerPlan> Asked { get; } = [];

    public HashSet<string> Networks { get; } = [];

    /// <summary>Which plan it does not carry out, counted from 1.</summary>
    public int Refuses { get; init; }

    public string Host { get; init; } = "127.0.0.1";

    public PostgreSqlFlavour Flavour { get; init; } = new StandardPostgreSql();

    /// <summary>What the engine makes of a limit of processors.</summary>
    public Func<double?, double?> Cpus { get; init; } = cpus => cpus;

    /// <summary>What it makes of a limit of memory.</summary>
    public Func<long?, long?> MemoryBytes { get; init; } = bytes => bytes;

    public IReadOnlyList<ProcessContainer> Started => [.. _started];

    public IReadOnlyList<ContainerPlan> Plans => [.. _started.Select(container => container.Plan)];

    public static FoundEngine Found() => new(new(new("unix:///stand-in"), "127.0.0.1", "127.0.0.1"), Name, new(1, 44));

    public static ContainerSource Source(Func<FoundEngine, IContainerEngine> adapter, FoundEngine? engine, string? problem = null) =>
        new(
            new Databases.Containers.Modules.PostgreSqlModule(new StandardPostgreSql()),
            adapter,
            (_, _) => Task.FromResult((engine, problem))
        );

    /// <summary>Skips the test where there is nothing to start.</summary>
    public static ProcessEngine OrSkip(string baseFolder, PostgreSqlFlavour? flavour = null)
    {
        flavour ??= new StandardPostgreSql();
        var (binaries, problem) = flavour.FindBinaries(new DatabaseRequest());
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The stand-in for containers is a shell script.");
        Assert.SkipWhen(binaries is null, problem ?? "");
        return new ProcessEngine(baseFolder) { Flavour = flavour };
    }

    public async Task<IDatabaseContainer> StartAsync(ContainerPlan plan, CancellationToken cancellationToken)
    {
        Asked.Add(plan);
        if (Asked.Count == Refuses)
            throw new ContainerEngineException("no room");

        if (plan.Image == MissingImage)
            throw new ContainerEngineException("no such host") { ImageIsMissing = true };

        if (plan.IsReused)
            return _started.Single(container => container.Plan.KeptAs == plan.KeptAs);

        if (plan.Network is { } network)
            Networks.Add(network);
        var binaries = Flavour.FindBinaries(new DatabaseRequest()).Binaries!;
        var folder = Path.Combine(baseFolder, plan.Volume);
        plan = plan with { MemoryBytes = MemoryBytes(plan.MemoryBytes) };
        var container = await ProcessContainer.StartAsync(plan, folder, Cpus(plan.Cpus), binaries, Host, cancellationToken);
        _started.Add(container);
        return container;
    }

    public Task<IReadOnlyList<FoundContainer>> ListAsync(CancellationToken cancellationToken) =>
        Task.FromResult<IReadOnlyList<FoundContainer>>([
            .. Others,
            .. _started.Select(container => new FoundContainer(container.Id, container.Plan.Labels, container.Plan.Environment)),
        ]);

    public async Task RemoveAsync(string id, IReadOnlyDictionary<string, string> labels, CancellationToken cancellationToken)
    {
        ProcessContainer? started;
        lock (_started)
        {
            Removed.Add(id);
            started = _started.Find(container => container.Id == id);
            _started.RemoveAll(container => container.Id == id);
            Networks.RemoveWhere(network => Plans.All(plan => plan.Network != network));
        }

        if (started is not null)
            await started.RemoveAsync();
    }

    public void Dispose() { }
}
