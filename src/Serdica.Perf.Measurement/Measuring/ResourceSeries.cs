namespace Serdica.Perf.Measurement.Measuring;

/// <summary>Collects the samples of one step and calculates the figures of each component from them.</summary>
/// <param name="machineCores">The number of all processors.</param>
internal sealed class ResourceSeries(int machineCores, string? writesMissing)
{
    /// <summary>The shortest distance of two samples; a rate over less, as the first and the last may have, is chance.</summary>
    private const double ShortestSeconds = 0.2;

    private const string NotTold = "The system does not report it, or the step was too short for samples.";
    private const string DiskOfDatabase =
        "The suite did not start the server as a process or container of this machine and no variable (SERDICA_PERF_..._PROCESS) names "
        + "its process, or the system does not report it to this user.";
    private const string NetworkOfProcess =
        "Linux counts traffic by interface and not by process; between processes of one machine it goes over the loopback. See the "
        + "figures of the machine's interfaces.";

    private readonly List<Sample> _samples = [];

    public void Add(Sample sample) => _samples.Add(sample);

    public IReadOnlyList<ResourceFigures> Figures()
    {
        var pairs = _samples.Zip(_samples.Skip(1)).Where(pair => pair.Second.T - pair.First.T >= ShortestSeconds).ToArray();
        var engine = pairs.Select(pair => Cores(pair, sample => sample.Engine.CpuMs)).ToArray();
        var database = pairs.Select(pair => Cores(pair, sample => sample.Database?.GetValueOrDefault(MetricNames.DatabaseCpu))).ToArray();
        var engineMemory = pairs.Select(pair => (double?)pair.Second.Engine.WorkingSetBytes).ToArray();
        var databaseMemory = pairs.Select(pair => pair.Second.Database?.GetValueOrDefault(MetricNames.DatabaseMemory)).ToArray();
        var machine = pairs.Select(pair => pair.Second.Host.Cpu * machineCores).ToArray();
        double?[] Rates(Func<Sample, double?> bytes) => [.. pairs.Select(pair => PerSecond(pair, bytes))];
        var engineDisk = new Traffic(Rates(sample => sample.Engine.DiskReadBytes), Rates(sample => sample.Engine.DiskWriteBytes));
        var databaseDisk = new Traffic(Rates(Database(MetricNames.DatabaseDiskReads)), Rates(Database(MetricNames.DatabaseDiskWrites)));
        var machineDisk = new Traffic(Rates(sample => sample.Host.DiskReadBytes), Rates(sample => sample.Host.DiskWriteBytes));
        var network = new Traffic(Rates(sample => sample.Host.NetworkReceivedBytes), Rates(sample => sample.Host.NetworkSentBytes));
        return
        [
            Component("database", database, databaseMemory, databaseDisk, DiskOfDatabase, network: null, NetworkOfProcess),
            Component(ResourceFigures.Engine, engine, engineMemory, engineDisk, NotTold, network: null, NetworkOfProcess),
            Component(
                ResourceFigures.Total,
                Sums(engine, database),
                Sums(engineMemory, databaseMemory),
                new(Sums(engineDisk.In, databaseDisk.In), Sums(engineDisk.Out, databaseDisk.Out)),
                NotTold,
                network: null,
                NetworkOfProcess
            ),
            Component("machine", machine, [], machineDisk, NotTold, network, NotTold) with
            {
                DiskReads = ResourceFigures.Usage.Of(Rates(sample => sample.Host.DiskReads).OfType<double>()),
                DiskWrites = ResourceFigures.Usage.Of(Rates(sample => sample.Host.DiskWrites).OfType<double>()),
            },
        ];
    }

    /// <summary>What the first and the last sample say that the database has put off; null when it does not report it.</summary>
    public StepDebt? Debt()
    {
        double? At(Sample? sample, string metric) => sample?.Database?.GetValueOrDefault(metric);
        var (first, last) = (_samples.FirstOrDefault(), _samples.LastOrDefault());
        var debt = new StepDebt
        {
            DeadRowsAtStart = At(first, MetricNames.DeadRows),
            DeadRowsAtEnd = At(last, MetricNames.DeadRows),
            LogBytesAtStart = At(first, MetricNames.WalSinceCheckpoint),
            LogBytesAtEnd = At(last, MetricNames.WalSinceCheckpoint),
        };
        return debt == new StepDebt() ? null : debt;
    }

    private ResourceFigures Component(
        string name,
        IReadOnlyCollection<double?> cpu,
        IReadOnlyCollection<double?> memory,
        Traffic? disk,
        string noDisk,
        Traffic? network,
        string noNetwork
    )
    {
        var figures = new ResourceFigures
        {
            Component = name,
            Samples = Math.Max(cpu.Count(value => value is not null), memory.Count(value => value is not null)),
            Cpu = ResourceFigures.Usage.Of(cpu.OfType<double>()),
            Memory = ResourceFigures.Usage.Of(memory.OfType<double>()),
            DiskRead = ResourceFigures.Usage.Of(disk?.In.OfType<double>() ?? []),
            DiskWrite = ResourceFigures.Usage.Of(disk?.Out.OfType<double>() ?? []),
            NetworkReceived = ResourceFigures.Usage.Of(network?.In.OfType<double>() ?? []),
            NetworkSent = ResourceFigures.Usage.Of(network?.Out.OfType<double>() ?? []),
        };
        var missing = new Dictionary<string, string>();
        if (figures is { DiskRead: null, DiskWrite: null })
            missing.Add("disk", noDisk);
        else if (figures.DiskWrite is null && writesMissing is not null)
            missing.Add("written", writesMissing);
        if (figures is { NetworkReceived: null, NetworkSent: null })
            missing.Add("network", noNetwork);
        return figures with { Missing = missing };
    }

    private static Func<Sample, double?> Database(string metric) => sample => sample.Database?.GetValueOrDefault(metric);

    private static double? PerSecond((Sample First, Sample Second) pair, Func<Sample, double?> bytes) =>
        (bytes(pair.Second) - bytes(pair.First)) / (pair.Second.T - pair.First.T);

    /// <summary>Sums moment by moment; where one component is not reported, the total is the other.</summary>
    private static double?[] Sums(double?[] first, double?[] second) =>
        [
            .. first
                .Zip(second)
                .Select(pair => pair.First is null && pair.Second is null ? null : (double?)((pair.First ?? 0) + (pair.Second ?? 0))),
        ];

    private static double? Cores((Sample First, Sample Second) pair, Func<Sample, double?> milliseconds) =>
        (milliseconds(pair.Second) - milliseconds(pair.First)) / ((pair.Second.T - pair.First.T) * 1000);

    /// <param name="In">Bytes a second read or received.</param>
    /// <param name="Out">Bytes a second written or sent.</param>
    private sealed record Traffic(double?[] In, double?[] Out);
}
