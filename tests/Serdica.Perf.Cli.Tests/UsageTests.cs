using Serdica.Perf.Cli.Options;

namespace Serdica.Perf.Cli.Tests;

public sealed class UsageTests
{
    [Theory]
    [InlineData("run --backend oracle", "There is no backend 'oracle'; there are postgresql, mongodb, documentdb, oracle-aq, in-memory.")]
    [InlineData("run --backend in-memory,oracle", "There is no backend 'oracle'; there are postgresql, mongodb, documentdb, oracle-aq, in-memory.")]
    [InlineData("run --tier weekly", "There is no tier 'weekly'; there are latency, throughput, smoke, capacity, nightly, soak, all.")]
    [InlineData("run --operations abc", "--operations is 'abc'; it must be a whole number from 1 to 100,000,000.")]
    [InlineData("run --concurrency 0", "--concurrency is '0'; it must be a whole number from 1 to 100,000.")]
    [InlineData("run --load open", "--load is 'open'; it must be one of serial, wave, closed.")]
    [InlineData("run --engine frob=1", "The engine has no setting 'frob' that a run may change; the settings are claim-batch, linger, submit-batch, submit-concurrency, max-pending, max-poll.")]
    [InlineData("load --engine claim-batch=0", "The engine's setting claim-batch is '0'; it must be a whole number from 1 to 1,000,000.")]
    [InlineData("queue --engine linger=1ms", "--linger sets how long readers of a queue linger; leave linger out of --engine.")]
    [InlineData("run --source cloud", "--source is 'cloud'; it must be one of external, containers, local.")]
    [InlineData("run --db-cpus 0", "--db-cpus is '0'; it must be a number from 0.01 to 1024, for instance 1.5, or several comma-separated, each higher than the one before.")]
    [InlineData("run --db-cpus 2,1", "--db-cpus is '2,1'; it must be a number from 0.01 to 1024, for instance 1.5, or several comma-separated, each higher than the one before.")]
    [InlineData("run --db-cpus 1,2 --json", "Several sizes of the server are several runs, and --gate and --json are for one run; leave them out, or name one size in --db-cpus.")]
    [InlineData("run --db-cpus 1,2 --keep-database", "Servers of several sizes would run at the same time and disturb each other; leave --keep-database out, or name one size in --db-cpus.")]
    [InlineData("run --db-cpus 1 --source external", "--db-cpus is for databases in containers and local ones, and --source is external; leave one of them out.")]
    [InlineData("run --db-memory 4096", "--db-memory is '4096'; it must be a whole number with m or g, 64m or more: for instance 512m or 4g.")]
    [InlineData("run --db-memory 8m", "--db-memory is '8m'; it must be a whole number with m or g, 64m or more: for instance 512m or 4g.")]
    [InlineData("run --db-memory 1g --source local", "--db-memory is for databases in containers, and --source is local; leave one of them out.")]
    [InlineData("run --keep-database --source external", "--keep-database is for databases in containers, and --source is external; leave one of them out.")]
    [InlineData("", "A command is missing; there are list, doctor, run, load, queue, size, baseline, compare, ab, floor, backends, history, trend, report, serve, init, dead-letters.")]
    [InlineData("dead-letters requeue", "Name the dead letters: give ids as 'dead-letters list' prints them, or --all.")]
    [InlineData("dead-letters requeue xyz", "'xyz' is not the id of a dead letter; 'dead-letters list' prints them.")]
    [InlineData("dead-letters list --backend in-memory", "There is no backend 'in-memory' that keeps dead letters; there are postgresql, mongodb, documentdb, oracle-aq.")]
    public async Task What_is_not_understood_is_answered_with_one_sentence_and_exit_code_2(string line, string sentence)
    {
        using var cli = new Cli();

        var exitCode = await cli.RunAsync(line.Split(' ', StringSplitOptions.RemoveEmptyEntries));

        Assert.Equal(ExitCodes.Usage, exitCode);
        Assert.Equal(sentence + Environment.NewLine, cli.Error);
        Assert.Empty(cli.Output);
    }

    [Theory]
    [InlineData("run --scenario frob", "immediate-burst-smoke")]
    [InlineData("run --frob", "--concurrency")]
    [InlineData("frob", "doctor")]
    public async Task An_unknown_name_lists_the_known_ones(string line, string known)
    {
        using var cli = new Cli();

        var exitCode = await cli.RunAsync(line.Split(' '));

        Assert.Equal(ExitCodes.Usage, exitCode);
        Assert.Contains("frob", cli.Error, StringComparison.Ordinal);
        Assert.Contains(known, cli.Error, StringComparison.Ordinal);
        Assert.Single(cli.Error.TrimEnd().Split('\n'));
    }

    [Fact]
    public async Task Help_has_examples_and_exit_codes()
    {
        using var cli = new Cli();

        Assert.Equal(ExitCodes.Success, await cli.RunAsync("run", "--help"));

        Assert.Contains("Examples:", cli.Output, StringComparison.Ordinal);
        Assert.Contains("Exit codes:", cli.Output, StringComparison.Ordinal);
        Assert.Contains("--operations", cli.Output, StringComparison.Ordinal);
    }
}
