using Serdica.Perf.Faults.History;

namespace Serdica.Perf.Cli.Tests;

public sealed class CheckHistoryCommandTests : CliTests
{
    [Fact]
    public async Task A_folder_that_is_missing_or_empty_is_refused_with_its_name()
    {
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("check-history", "no-such-folder"));
        Assert.Contains("There is no folder 'no-such-folder'", Cli.Error);

        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("check-history", Cli.Folder));
        Assert.Contains($"The folder '{Cli.Folder}' has no history", Cli.Error);
    }

    [Fact]
    public async Task A_number_that_no_invariant_has_is_refused()
    {
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("check-history", Cli.Folder, "--require", "1,17"));
        Assert.Contains("--require has '17'", Cli.Error);
    }

    [Fact]
    public async Task A_history_that_proves_nothing_is_unproven_and_one_that_proves_what_is_required_is_proven()
    {
        await WriteAsync(Guid.CreateVersion7(), found: true);

        Assert.Equal(ExitCodes.NotJudged, await Cli.RunAsync("check-history", Cli.Folder));
        Assert.Contains("UNPROVEN", Cli.Output);
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("check-history", Cli.Folder, "--require", "9"));
        Assert.Contains("PROVEN.", Cli.Output);
        Assert.All(Cli.Output.Split('\n'), line => Assert.InRange(line.Length, 0, 80));
    }

    [Fact]
    public async Task A_violation_is_shown_with_the_lines_that_prove_it()
    {
        var lost = Guid.CreateVersion7();
        await WriteAsync(lost, found: false);

        Assert.Equal(ExitCodes.Failed, await Cli.RunAsync("check-history", Cli.Folder, "--require", "9"));

        Assert.Contains($"Instance {lost} was started and acknowledged; it is missing.", Cli.Output);
        Assert.Contains("client:2 {\"kind\":\"invoke\"", Cli.Output);
        Assert.Contains("client:3 {\"kind\":\"ack\"", Cli.Output);
    }

    private async Task WriteAsync(Guid instance, bool found)
    {
        await using var writer = new HistoryWriter(Cli.Folder, "client", "client");
        writer.Write(new() { Kind = HistoryKind.Invoke, Operation = 1, Call = CallKind.Start, Key = "k" });
        writer.Write(new() { Kind = HistoryKind.Ack, Operation = 1, Outcome = AckOutcome.Started, Instance = instance });
        if (found)
        {
            writer.Write(
                new()
                {
                    Kind = HistoryKind.State,
                    Instance = instance,
                    Status = Workflows.InstanceStatus.Completed,
                    Version = 0,
                    Ledger = new() { Origin = "k" },
                }
            );
        }

        writer.Write(new() { Kind = HistoryKind.Census, Census = new(0, 0, found ? 1 : 0, 0, 0, 0, 0, 0, 0) });
    }
}
