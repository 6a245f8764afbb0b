namespace Serdica.Perf.Faults.Tests;

/// <summary>
/// The engine survives a crash of its host at every call of the seam, for every shape of a workflow, and lost answers at every call of
/// host and client; and whatever else a seed brings about.
/// </summary>
public sealed class WalkTests(ITestOutputHelper output) : FolderTests
{
    private const string SeedVariable = "SERDICA_PERF_WALK_SEED";
    private const int Seeds = 1_000;

    /// <summary>In another order other calls are made.</summary>
    private const int Orders = 4;

    /// <summary>A shape whose hosts had nothing to do would be walked in no step.</summary>
    private const int LeastPoints = 20;

    /// <summary>What a run in which all faults strike may judge; gauges and windows belong to runs on real servers.</summary>
    private static readonly int[] Judgeable = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];

    /// <summary>Each shape with the queue, and those that have something to decide directly also without it.</summary>
    public static TheoryData<string, bool> Shapes
    {
        get
        {
            var shapes = new TheoryData<string, bool>();
            foreach (var shape in Shape.All)
            {
                shapes.Add(shape.Name, false);
                if (shape.Name is "activity" or "children" or "continuation")
                    shapes.Add(shape.Name, true);
            }

            return shapes;
        }
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public async Task The_engine_survives_a_fault_at_each_call_of_the_seam(string name, bool direct)
    {
        var shape = Shape.All.Single(shape => shape.Name == name);
        var points = new List<(int Seed, SeamFault Fault, int Call, int Calls)>();
        for (var seed = 0; seed < Orders; seed++)
        {
            var calls = await CallsAsync(Plan(shape, seed, direct));
            points.AddRange(
                from fault in Enum.GetValues<SeamFault>()
                where fault != SeamFault.None
                from call in Range(1, calls)
                select (seed, fault, call, calls)
            );
        }

        await Parallel.ForEachAsync(points, Token, async (point, _) =>
        {
            var plan = Plan(shape, point.Seed, direct) with
            {
                HostFaults = call => call == point.Call ? point.Fault : SeamFault.None,
                ClientFaults = call => call == point.Call && point.Fault >= SeamFault.Refuse ? point.Fault : SeamFault.None,
            };
            var where = $"{point.Fault} at call {point.Call} of {point.Calls}, order {point.Seed}";
            AssertHeld(await RunAsync(plan), $"{shape}, direct {direct}, {where}");
        });
        output.WriteLine($"{points.Count} points");
        Assert.InRange(points.Count, LeastPoints, int.MaxValue);
    }

    [Fact]
    public async Task Parents_are_decided_in_the_commits_of_their_children_in_a_walk_with_direct_decisions()
    {
        var shape = Shape.All.Single(shape => shape.Name == "children");
        AssertHeld((await SimulatedRun.CheckAsync(Plan(shape, seed: 0, direct: true), Root.Path)).Report, $"{shape}");

        var turns = HistoryFolder.Files(Root.Path).SelectMany(TurnsOf).GroupBy(turn => (turn.Process, turn.Record.Operation));
        Assert.Contains(turns, commit => commit.DistinctBy(turn => turn.Record.Instance).Count() == 2);
    }

    /// <summary>Virtual time does not wait for a thread that rolls back, so the walk has to.</summary>
    [Theory]
    [InlineData(SeamFault.DieBefore)]
    [InlineData(SeamFault.DieDeciding)]
    public async Task A_walk_goes_on_when_the_transaction_of_a_dead_host_is_rolled_back(SeamFault fault)
    {
        var plan = Plan(Shape.All.Single(shape => shape.Name == "activity"), seed: 0);
        using var without = new TemporaryFolder();
        var (_, calls) = await SimulatedRun.CheckAsync(plan, without.Path);
        var (report, _) = await SimulatedRun.CheckAsync(
            plan with
            {
                HostFaults = call => call == calls ? fault : SeamFault.None,
            },
            Root.Path,
            time => new SlowRollback(new InMemoryWorkflowBackend(time), FromMilliseconds(200))
        );

        AssertHeld(report, $"{fault} at call {calls}");
    }

    [Fact]
    public async Task The_engine_survives_random_orders_and_faults()
    {
        if (Environment.GetEnvironmentVariable(SeedVariable) is { Length: > 0 } text)
        {
            var seed = int.Parse(text, CultureInfo.InvariantCulture);
            var folder = Directory.CreateTempSubdirectory("serdica-perf-walk-").FullName;
            output.WriteLine($"The history is in {folder}.");
            AssertHeld((await SimulatedRun.CheckAsync(Random(seed), folder)).Report, Describe(seed));
            return;
        }

        var judged = new ConcurrentDictionary<int, long>();
        await Parallel.ForEachAsync(Range(0, Seeds), Token, async (seed, _) =>
        {
            var report = await RunAsync(Random(seed));
            AssertHeld(report, Describe(seed));
            foreach (var finding in report.Invariants)
                judged.AddOrUpdate(finding.Number, finding.Judged, (_, sum) => sum + finding.Judged);
        });
        output.WriteLine(string.Join(", ", judged.Select(entry => $"{entry.Key}: {entry.Value}")));
        Assert.All(Judgeable, number => Assert.True(judged[number] > 0, $"No seed has judged invariant {number}."));
    }

    private static SimulatedPlan Plan(Shape shape, int seed, bool direct = false) =>
        new()
        {
            Shape = shape,
            Seed = seed,
            Direct = direct,
            AttemptFails = attempt => attempt == 1,
        };

    private static SimulatedPlan Random(int seed)
    {
        var faults = new Random(seed);
        return new SimulatedPlan
        {
            Shape = Shape.All[seed % Shape.All.Count],
            Seed = seed,
            Clients = 1 + (seed % 3),
            Pauses = seed % 2 == 0,
            Direct = seed % 4 > 1,
            AttemptFails = attempt => attempt < 3 && faults.Next(3) == 0,
            HostFaults = _ => faults.Next(12) == 0 ? (SeamFault)faults.Next(1, 6) : SeamFault.None,
            ClientFaults = _ => faults.Next(8) == 0 ? (SeamFault)faults.Next(4, 6) : SeamFault.None,
        };
    }

    private static List<(string Process, HistoryRecord Record)> TurnsOf(string file)
    {
        using var reader = new HistoryReader(file);
        var turns = new List<(string Process, HistoryRecord Record)>();
        while (reader.Read() is { Record: var record })
        {
            if (record.Kind == HistoryKind.Turn)
                turns.Add((reader.Process, record));
        }

        return turns;
    }

    private static string Describe(int seed) =>
        $"seed {seed}; repeat it with {SeedVariable}={seed} dotnet test tests/Serdica.Perf.Faults.Tests -c Release "
        + $"--filter FullyQualifiedName~{nameof(The_engine_survives_random_orders_and_faults)}";

    private static async Task<int> CallsAsync(SimulatedPlan plan)
    {
        using var folder = new TemporaryFolder();
        var (report, calls) = await SimulatedRun.CheckAsync(plan, folder.Path);
        AssertHeld(report, $"{plan.Shape} without a fault");
        return calls;
    }

    private static async Task<CheckReport> RunAsync(SimulatedPlan plan)
    {
        using var folder = new TemporaryFolder();
        return (await SimulatedRun.CheckAsync(plan, folder.Path)).Report;
    }

    /// <summary>Windows of successes belong to runs in real time.</summary>
    private static void AssertHeld(CheckReport report, string run)
    {
        var violated = report.Violated.Where(finding => finding.Number != 16).ToList();
        if (violated.Count > 0 || !report.HasFinalState)
            Assert.Fail($"{run}:\n{string.Join('\n', violated.Select(Describe))}");
    }

    private static string Describe(InvariantFinding finding) =>
        $"{finding.Number} {finding.Name}: "
        + string.Join('\n', finding.Witnesses.Select(witness => $"{witness.Sentence}\n  {string.Join("\n  ", witness.Lines)}"));
}
