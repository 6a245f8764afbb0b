using Serdica.Perf.Databases.Tests;
using Serdica.Perf.Faults.Checking;
using Serdica.Perf.Faults.Checking.Invariants;
using Serdica.Perf.Faults.Figures;
using Serdica.Perf.Faults.Plans;
using Serdica.Perf.Faults.Runs;
using Serdica.Perf.Results.Folders;

namespace Serdica.Perf.Suite;

/// <summary>All plans of faults on one backend, a class of which derives from it. Each run has a seed of its own and prints it.</summary>
public abstract class BackendUnderFaults(string backend)
{
    private static readonly TimeSpan Duration = FromMinutes(1);

    public static TheoryData<string> Plans => [.. BuiltInPlans.Names];

    [Theory]
    [MemberData(nameof(Plans))]
    [Trait(PerfCategory.Name, PerfCategory.Faults)]
    public async Task Nothing_is_lost_or_doubled(string plan)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Faults are done to processes by signals of Linux.");
        Assert.SkipUnless(BuiltInPlans.NamesFor(backend).Contains(plan), $"The plan '{plan}' cannot be done on {backend}.");
        await using var server = await LocalServer.StartOrSkipAsync(backend: backend);
        var faults = BuiltInPlans.Make(plan, backend, Random.Shared.Next(100_000), Duration, hosts: 2);
        var folder = Path.Combine(
            TestedProject.Current.Root,
            RunFolder.DefaultRoot,
            Invariant($"{DateTime.UtcNow:yyyyMMdd'T'HHmmss'Z'}-{backend}-faults-{plan}")
        );
        Directory.CreateDirectory(folder);
        faults.Write(Path.Combine(folder, FaultPlan.FileName));
        var run = new FaultRun(faults, server, folder, WriteLine);
        var (result, report) = await RunOrSkipAsync(run);
        using var text = new StringWriter(CultureInfo.InvariantCulture);
        FaultMarkdown.WriteTable(text, result.Faults);
        CheckReportText.Write(text, report);
        WriteLine(text.ToString());
        Assert.True(result.Verdict == InvariantVerdict.Held, $"{faults.Command}\n{text}");
    }

    private static async Task<(FaultResult Result, CheckReport Report)> RunOrSkipAsync(FaultRun run)
    {
        try
        {
            return await run.RunAsync(Token);
        }
        catch (FaultImpossibleException e)
        {
            Assert.Skip(e.Message);
            throw;
        }
    }

    private static void WriteLine(string line) => TestContext.Current.TestOutputHelper?.WriteLine(line);
}
