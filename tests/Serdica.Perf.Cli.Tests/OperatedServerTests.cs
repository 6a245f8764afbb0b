namespace Serdica.Perf.Cli.Tests;

/// <summary>Which variables name a server that is operated, and which one that is measured: docs/security.md.</summary>
public sealed class OperatedServerTests
{
    private const string Operated = "SERDICA_WORKFLOW_POSTGRESQL";
    private const string Measured = "SERDICA_PERF_POSTGRESQL";

    [Theory]
    [InlineData("worker --scenario signal-roundtrip-latency-serial")]
    [InlineData("dead-letters list")]
    [InlineData("dead-letters requeue --all")]
    [InlineData("doctor --store orders")]
    public async Task Commands_that_operate_a_store_do_not_look_at_the_server_that_is_measured(string command)
    {
        var (exitCode, read) = await RunAsync(command);

        Assert.Equal(ExitCodes.BackendUnavailable, exitCode);
        Assert.Contains(Operated, read);
        Assert.DoesNotContain(Measured, read);
    }

    [Theory]
    [InlineData("quick")]
    [InlineData("run --scenario immediate-burst-smoke")]
    [InlineData("load --rate 100 --duration 1s")]
    [InlineData("queue --duration 1s")]
    [InlineData("doctor --backend postgresql")]
    [InlineData("leftovers")]
    public async Task Commands_that_measure_do_not_look_at_the_server_of_the_application(string command)
    {
        var (exitCode, read) = await RunAsync(command);

        Assert.NotEqual(ExitCodes.Success, exitCode);
        Assert.Contains(Measured, read);
        Assert.DoesNotContain(read, name => name.StartsWith("SERDICA_WORKFLOW_"));
    }

    /// <summary>Runs a command where no server is named and none may be started.</summary>
    /// <returns>Its exit code, and the names of the variables that it has read.</returns>
    private static async Task<(int ExitCode, ICollection<string> Read)> RunAsync(string command)
    {
        using var cli = new Cli();
        var read = new ConcurrentDictionary<string, bool>();
        var environment = new DatabaseEnvironment(name =>
        {
            read[name] = true;
            return name == $"{Measured}_SOURCE" ? "external" : null;
        });
        string[] output = command.Split(' ')[0] is "quick" or "run" or "load" or "queue" ? ["--output", cli.Folder] : [];
        var exitCode = await new CommandLineApplication(TextWriter.Null, TextWriter.Null, environment).RunAsync(
            [.. command.Split(' '), .. output],
            Token
        );
        return (exitCode, read.Keys);
    }
}
