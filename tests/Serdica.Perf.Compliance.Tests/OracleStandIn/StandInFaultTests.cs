using Serdica.Perf.Faults.Checking;
using Serdica.Perf.Faults.Checking.Invariants;
using Serdica.Perf.Faults.Figures;
using Serdica.Perf.Faults.Plans;
using Serdica.Perf.Faults.Runs;

namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>
/// Plans of the fault tier on the Oracle backend and its package: real processes are killed, and the answers of real commits are
/// dropped. The invariants are judged; the figures are those of the stand-in, and their files are removed.
/// </summary>
public sealed class StandInFaultTests : IDisposable
{
    /// <summary>
    /// The two in a hundred commits that are cut otherwise may be none in a short time. The fault ends with the last of these, and
    /// until then enough is done to judge what happens rarely.
    /// </summary>
    private const int Cuts = 100;

    private readonly string _folder = Directory.CreateTempSubdirectory("serdica-perf-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("kill-worker", "^process [0-9]+ ended with code ")]
    [InlineData("ambiguous-commit", "^[1-9][0-9,]* commits were executed and their answers dropped$")]
    [InlineData("restart-database", "^[1-9][0-9]* processes of the server ended$")]
    public async Task Nothing_is_lost_or_doubled_by_the_package(string plan, string evidence)
    {
        var (result, report) = await RunAsync(plan);

        Assert.True(result.Verdict == InvariantVerdict.Held, Text(report));
        EachItem.Holds(result.Faults, fault => Assert.Matches(evidence, fault.Evidence));
        EachItem.Holds(Directory.EnumerateFiles(_folder, "*.*"), file =>
            Assert.DoesNotContain("oracle", File.ReadAllText(file), OrdinalIgnoreCase)
        );
    }

    /// <summary>Mistakes of the package that a plan finds: what it proves would otherwise be worth nothing.</summary>
    [Theory]
    [InlineData("kill-worker", "signals in the wrong order")]
    [InlineData("ambiguous-commit", "start with a taken key that is reported as accepted")]
    public async Task Mistake_in_the_package_violates_an_invariant(string plan, string mistake)
    {
        var (result, report) = await RunAsync(plan, SeededMistakeTests.Change(mistake));

        Assert.True(result.Verdict == InvariantVerdict.Violated, Text(report));
    }

    private async Task<(FaultResult Result, CheckReport Report)> RunAsync(string name, Func<string, string, string>? change = null)
    {
        // A server of its own: plans restart it, and count its sessions.
        await using var fixture = new IvorySqlFixture();
        var server = await fixture.StartAsync(Token);
        (int? cuts, var seconds) = name == "ambiguous-commit" ? (Cuts, 40) : ((int?)null, 30);
        var plan = BuiltInPlans.Make(name, "ivorysql", seed: 1, FromSeconds(seconds), hosts: 2, cuts) with
        {
            // The proof needs no more load, and other tests run beside it.
            ThinkTime = FromMilliseconds(100),
        };
        var store = new StandInUnderFaults { Place = fixture.Place, Change = change };
        return await new FaultRun(plan, server, _folder, Console.WriteLine, opener: store).RunAsync(Token);
    }

    private static string Text(CheckReport report) => Written.By(text => CheckReportText.Write(text, report));
}
