namespace Serdica.Perf.Faults.Tests.Plans;

public sealed class FaultPlanTests : FolderTests
{
    private static readonly FaultPlan Whole = BuiltInPlans.Make("everything", BackendNames.PostgreSql, 4711, FromMinutes(10), 3);

    private string PlanFile => Root.Below(FaultPlan.FileName);

    [Fact]
    public void Plan_of_a_file_is_the_plan_that_was_written()
    {
        (Whole with { Container = true }).Write(PlanFile);

        var read = FaultPlan.Read(PlanFile);

        Assert.Equal(Whole.Faults, read.Faults);
        Assert.Equal(Whole with { Container = true, Faults = read.Faults, Engine = read.Engine, Source = PlanFile }, read);
        Assert.Equal($"serdica-perf faults --plan '{PlanFile}'", read.Command);
    }

    [Fact]
    public void Settings_of_the_engine_are_kept_and_repeated()
    {
        var plan = Whole with { Engine = new Dictionary<string, string> { ["direct"] = "off", ["claim-batch"] = "2" } };
        plan.Write(PlanFile);

        Assert.Equal(plan.Engine, FaultPlan.Read(PlanFile).Engine);
        Assert.EndsWith(" --hosts 3 --engine direct=off --engine claim-batch=2", plan.Command);
        Assert.EndsWith(" --hosts 3", Whole.Command);
    }

    /// <summary>Seconds: what the plan leaves between two faults, when the first one ended, and when the second one strikes.</summary>
    [Theory]
    [InlineData(6, 12, 18)]
    [InlineData(6, 11, 18)]
    [InlineData(6, 14.5, 20.5)]
    [InlineData(2, 13, 15)]
    [InlineData(60, 13, 72)]
    [InlineData(60, 70, 76)]
    public void Fault_that_lasts_longer_than_planned_postpones_the_next_one(double left, double ended, double strikes)
    {
        var before = new PlannedFault(FaultKind.KillDatabase, PlannedFault.Database, FromSeconds(10), FromSeconds(2));
        var fault = before with { At = FromSeconds(12 + left) };

        Assert.Equal(FromSeconds(strikes), fault.StrikesAt(before, FromSeconds(ended)));
        Assert.Equal(before.At, before.StrikesAt(null, TimeSpan.Zero));
    }

    [Fact]
    public void Some_of_its_faults_follow_each_other_with_time_to_recover()
    {
        PlannedFault[] some = [Whole.Faults[3], Whole.Faults[5]];

        var plan = Whole.With(some);

        Assert.Equal(some, plan.Faults.Select((fault, i) => fault with { At = some[i].At }));
        Assert.Equal(BuiltInPlans.Lead, plan.Faults[0].At);
        Assert.Equal(BuiltInPlans.Lead + some[0].Duration + BuiltInPlans.Settle, plan.Faults[1].At);
        Assert.Equal(plan.Faults[1].At + some[1].Duration + BuiltInPlans.Settle, plan.Duration);
    }

    [Fact]
    public void Without_faults_there_is_still_a_load() => Assert.Equal(FromSeconds(11), Whole.With([]).Duration);

    [Theory]
    [InlineData(FaultKind.CutCommits, 0)]
    [InlineData(FaultKind.Latency, 1)]
    public void Plan_that_counts_what_cannot_be_cut_is_refused(object kind, int cuts)
    {
        var fault = Whole.Faults.First(fault => fault.Kind == (FaultKind)kind) with { Cuts = cuts };
        Whole.With([fault]).Write(PlanFile);

        var message = Assert.Throws<ArgumentException>(() => FaultPlan.Read(PlanFile)).Message;

        Assert.EndsWith("cannot cut this number of commits.", message);
    }

    [Theory]
    [InlineData("\"hosts\": 3", "\"hosts\": 9", "cannot be run: hosts is 9; it must be 2 to 8.")]
    [InlineData("\"thinkTime\": \"00:00:00\"", "\"thinkTime\": \"00:01:00\"", "thinkTime is 00:01:00; it must be zero to 00:00:10.")]
    [InlineData("\"duration\": \"00:10:00\"", "\"duration\": \"00:00:05\"", "must begin after the previous fault has ended, and must end")]
    [InlineData("\"target\": \"host-", "\"target\": \"host-0", "has a target that it cannot be done to.")]
    [InlineData("\"hosts\": 3", "\"guests\": 3", "is not understood: it has no 'hosts'; name the plan.json of an earlier run, or ")]
    [InlineData("\"engine\": {}", "\"engine\": { \"direkt\": \"off\" }", "The engine has no setting 'direkt' that a run may change;")]
    [InlineData("\"engine\": {}", "\"engine\": { \"direct\": \"no\" }", "The engine's setting direct is 'no'; it must be on or off.")]
    [InlineData("\"kind\": \"", "\"kind\": \"x", "is not understood: 'faults[0].kind' (line ")]
    public void Broken_plan_is_refused(string text, string instead, string sentence)
    {
        Whole.Write(PlanFile);
        File.WriteAllText(PlanFile, File.ReadAllText(PlanFile).Replace(text, instead));

        var message = Assert.Throws<ArgumentException>(() => FaultPlan.Read(PlanFile)).Message;

        Assert.StartsWith($"The plan '{PlanFile}' ", message);
        Assert.Contains(sentence, message);
    }

    [Theory]
    [InlineData(FaultKind.Latency, FaultKind.Latency, 3, BackendNames.PostgreSql, "must begin after the previous fault has")]
    [InlineData(FaultKind.KillDatabase, FaultKind.FillVolume, 9, BackendNames.PostgreSql, "a volume that others fill goes with it.")]
    [InlineData(FaultKind.Latency, FaultKind.FillVolume, 9, BackendNames.DocumentDb, "cannot be done to the backend 'documentdb'.")]
    public void Faults_that_do_not_go_together_are_refused(object first, object second, int at, string backend, string sentence)
    {
        PlannedFault Of(object kind, int at) => new((FaultKind)kind, "database", FromSeconds(at), FromSeconds(4));
        (Whole with { Backend = backend, Faults = [Of(first, 1), Of(second, at)] }).Write(PlanFile);
        var message = Assert.Throws<ArgumentException>(() => FaultPlan.Read(PlanFile)).Message;
        Assert.Contains(sentence, message);
    }

    [Fact]
    public void Plan_that_is_not_there_is_refused() =>
        Assert.StartsWith(
            $"The plan '{PlanFile}' cannot be read: ",
            Assert.Throws<ArgumentException>(() => FaultPlan.Read(PlanFile)).Message
        );
}
