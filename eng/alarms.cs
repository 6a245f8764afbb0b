#!/usr/bin/env dotnet
#:property PublishAot=false
#:project ../src/Serdica.Perf.Analysis/Serdica.Perf.Analysis.csproj

// Counts false alarms on a real server: measures this program against itself, in blocks as 'ab' does and in single runs as
// 'compare' and 'trend' see them, and judges all by the same code. Every change that is reported is a false alarm.
//
//   dotnet run eng/alarms.cs [-- [--pairs N] [--operations N] [--concurrency N] [--warmup N] [--continue FOLDER]...]
//
// --pairs         comparisons of each kind; 40 without it. A comparison in blocks has five blocks of four measurements.
// --operations    of each measured window; 20000 without it, which is three to four seconds on two cores
// --concurrency   callers; 16 without it
// --warmup        operations of each warm-up; without it each lasts until the throughput no longer rises
// --continue      measures what a stopped count in FOLDER still lacks; the other options must be those of the first call.
//                 With several folders nothing is measured: the counts that they hold are added up in a new folder
//
// Writes TestResults/workflow-performance/<time>-alarms/alarms.json, and prints the rows for docs/statistics.md. Needs a
// machine without other load. Exit codes: 0 counted; 1 a measurement could not be finished; 2 an argument is not understood.

using Serdica.Perf.Analysis.Blocks;
using Serdica.Perf.Analysis.Comparison;
using Serdica.Perf.Analysis.History;
using Serdica.Perf.Results;
using Serdica.Perf.Results.Folders;
using Serdica.Perf.Results.Runs;

const int BlocksEach = 5;
const int Repeats = 5;
const string Scenario = "signal-roundtrip-throughput-parallel";

var values = new Dictionary<string, int>
{
    ["--pairs"] = 40,
    ["--operations"] = 20_000,
    ["--concurrency"] = 16,
    ["--warmup"] = 0,
};
var folders = new List<string>();
for (var at = 0; at < args.Length; at += 2)
{
    if (args[at] == "--continue" && at + 1 < args.Length && Directory.Exists(args[at + 1]))
    {
        folders.Add(Path.GetFullPath(args[at + 1]));
        continue;
    }

    if (
        !values.ContainsKey(args[at])
        || at + 1 == args.Length
        || !int.TryParse(args[at + 1], CultureInfo.InvariantCulture, out var value)
        || value < 1
    )
    {
        Console.WriteLine(
            $"'{string.Join(' ', args[at..])}' is not understood; there are {string.Join(", ", values.Keys.Select(name => $"{name} N"))} "
                + "and --continue FOLDER, with the folder of a stopped or finished count."
        );
        return 2;
    }

    values[args[at]] = value;
}

var (pairs, root) = (values["--pairs"], Child.Repository);
var own = Path.Combine(root, "TestResults", "workflow-performance", $"{DateTime.UtcNow:yyyyMMdd'T'HHmmss'Z'}-alarms");
if (folders.Count == 0)
    folders.Add(own);
var written = Path.Combine(folders.Count == 1 ? folders[0] : Directory.CreateDirectory(own).FullName, "alarms.json");
if (folders.Count == 1 && await MeasureAsync(folders[0]) is not 0 and var notMeasured)
    return notMeasured;

// The names of run folders begin with their time. The second half of the runs is far from the first in time.
var singles = folders.Select(folder => Finished(Runs(folder)).Select(BaselineReader.Read).ToArray()).ToArray();
var halves = singles.Select(runs => (First: runs[..(runs.Length / 2)], Second: runs[(runs.Length / 2)..])).ToArray();
(string Kind, RunComparison[] Comparisons)[] kinds =
[
    ($"`ab`, {BlocksEach} blocks", [.. folders.SelectMany(folder => EqualCode.OfBlocks(Comparable(Blocks(folder)), BlocksEach))]),
    ("`compare`, runs after each other", [.. singles.SelectMany(EqualCode.OfRuns)]),
    (
        "`compare`, runs far apart",
        [.. halves.SelectMany(half => half.First.Zip(half.Second, (first, second) => EqualCode.OfRuns([first, second]).Single()))]
    ),
];

// Every run stands for a commit of its own.
TrendSeries[] series =
[
    .. singles
        .Select(runs => runs.SelectMany(HistoryLine.Of).ToArray())
        .SelectMany(lines => TrendSeries.Of(lines, [.. lines.SelectMany(line => line.Figures.Keys).Distinct()])),
];
var between = singles.Select(runs => Spread([.. runs.Select(Speed)])).ToArray();

File.WriteAllText(
    written,
    JsonSerializer.Serialize(
        new
        {
            Comparisons = kinds.Select(kind => new
            {
                kind.Kind,
                Pairs = kind.Comparisons.Select(comparison => new
                {
                    Alarms = EqualCode.Alarms(comparison).Select(metric => metric.Metric),
                    Metrics = comparison
                        .Scenarios[0]
                        .Metrics.Select(metric => new
                        {
                            metric.Metric,
                            metric.Verdict,
                            metric.Ratio,
                            metric.Low,
                            metric.High,
                            metric.PValue,
                            metric.CorrectedPValue,
                            metric.PermutationPValue,
                        }),
                }),
            }),
            Trends = series.Select(one => new
            {
                one.Metric,
                Values = one.Points.Select(point => point.Value),
                ChangesAt = one.ChangePoints.Select(change => change.Index),
            }),
            BetweenRuns = between,
        },
        MeasurementJson.Compact
    )
);

foreach (var (kind, comparisons) in kinds)
    Console.WriteLine(
        $"| {kind} | {comparisons.Length} | {comparisons.Count(comparison => EqualCode.Alarms(comparison).Count > 0)} |"
    );
Console.WriteLine(
    $"| `trend`, series of {string.Join(" and ", singles.Select(runs => runs.Length))} runs | {series.Length} | "
        + $"{series.Count(one => one.ChangePoints.Count > 0)} |"
);
Console.WriteLine(
    "Noise between runs, throughput: "
        + string.Join(" and ", between.Select(noise => Invariant($"{noise * 100:0.0} %")))
);
foreach (var (kind, comparisons) in kinds)
{
    foreach (var (number, comparison) in comparisons.Index())
    {
        foreach (var alarm in EqualCode.Alarms(comparison))
            Console.WriteLine(
                $"{kind}, pair {number + 1}: {alarm.Metric} {ComparisonText.Change(alarm)} ({ComparisonText.Evidence(alarm)})"
            );
    }
}

Console.WriteLine($"Written: {written}");
return 0;

async Task<int> MeasureAsync(string folder)
{
    string[] warmUp = values["--warmup"] is > 0 and var operations ? ["--warmup", $"{operations}"] : [];
    string[] load = ["--concurrency", $"{values["--concurrency"]}", "--load", "closed", .. warmUp];
    var cli = Path.Combine(root, "src", "Serdica.Perf.Cli");
    if (await Child.DotnetAsync(root, ["build", cli, "-c", "Release", "--nologo", "-v", "quiet"]) is not 0 and var notBuilt)
        return notBuilt;

    var program = Path.Combine(cli, "bin", "Release", "net10.0", "serdica-perf.dll");
    var blocks = Directory.CreateDirectory(Blocks(folder)).FullName;
    if (
        (pairs * BlocksEach) - Comparable(blocks).Count is > 0 and var lacking
        && await Child.DotnetAsync(root, [
            program,
            "ab",
            "--base",
            "here",
            "--candidate",
            "here",
            "--scenario",
            Scenario,
            "--operations",
            $"{values["--operations"]}",
            .. load,
            "--blocks",
            $"{lacking}",
            "--output",
            blocks,
        ]) != 0
    )
        return 1;

    var runs = Directory.CreateDirectory(Runs(folder)).FullName;
    for (var run = Finished(runs).Count; run < 2 * pairs; run++)
    {
        if (
            await Child.DotnetAsync(root, [
                program,
                "run",
                "--scenario",
                $"postgresql-{Scenario}",
                "--operations",
                $"{values["--operations"] / Repeats}",
                .. load,
                "--no-overhead",
                "--repeat",
                $"{Repeats}",
                "--output",
                runs,
            ]) != 0
        )
            return 1;
    }

    return 0;
}

static string Blocks(string folder) => Path.Combine(folder, "blocks");

static string Runs(string folder) => Path.Combine(folder, "runs");

static double Speed(RunResult run) => run.Scenarios.Average(repeat => Math.Log(repeat.ThroughputPerSecond!.Value));

static double Spread(double[] values) => Math.Sqrt(values.Sum(value => Math.Pow(value - values.Average(), 2)) / (values.Length - 1));

// A call that was stopped leaves blocks without a verdict, perhaps an incomplete one, or no run at all. What is left over at the end of a
// call is not part of a comparison: its blocks would lie far apart.
static List<AbBlock> Comparable(string blocks) =>
    [
        .. Directory
            .GetDirectories(blocks)
            .Where(call => Directory.Exists(Path.Combine(call, "runs")))
            .Order(StringComparer.Ordinal)
            .SelectMany(call =>
                Directory
                    .GetDirectories(Path.Combine(call, "runs"))
                    .OrderBy(run => int.Parse(Path.GetFileName(run).Split('-')[0], CultureInfo.InvariantCulture))
                    .Where(run => Finished(run).Count == 1)
                    .Chunk(4)
                    .Where(block => block.Length == 4)
                    .Chunk(BlocksEach)
                    .Where(comparison => comparison.Length == BlocksEach)
                    .SelectMany(comparison => comparison)
            )
            .Select((block, index) => new AbBlock(index + 1, [.. block.Select(Read)])),
    ];

static AbRun Read(string run) =>
    new(run.EndsWith("-base", Ordinal) ? AbSide.Base : AbSide.Candidate, run, BaselineReader.Read(Finished(run).Single()));

static List<string> Finished(string folder) =>
    [
        .. Directory
            .GetDirectories(folder)
            .Where(run => JsonFile.Exists(run, RunFolder.SummaryFile) && BaselineReader.Read(run).Status == RunStatus.Passed)
            .Order(StringComparer.Ordinal),
    ];
