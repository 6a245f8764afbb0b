namespace Serdica.Perf.Cli.Tests;

/// <summary>Generators are processes with a store of their own each; however the whole ends, none leaves its store behind.</summary>
public sealed class GeneratorCleanUpTests : CliTests
{
    [Theory]
    [InlineData("TERM")]
    [InlineData("KILL")]
    public async Task Generators_drop_their_stores_when_the_process_that_started_them_is_ended(string signal)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Signals are sent by 'kill'.");
        await using var server = await LocalServer.StartOrSkipAsync();
        const string Load = "load --backend postgresql --rate 50 --duration 1h --warmup 0s --generators 2 --output";
        using var whole = WholeProgram.Start(server, [.. Load.Split(' '), Cli.Folder]);
        try
        {
            _ = whole.StandardOutput.ReadToEndAsync(Token);
            await HangGuard.UntilAsync(
                () =>
                {
                    Assert.False(whole.HasExited, "It ended before its generators had started their load.");
                    return Directory.EnumerateFiles(Cli.Folder, "samples.ndjson", SearchOption.AllDirectories).Count() >= 2;
                },
                () => "The generators have not started their load."
            );
            Assert.Equal(2, await WholeProgram.StoresAsync(server));

            await whole.SignalAsync(signal);

            await HangGuard.UntilAsync(
                async () => await WholeProgram.StoresAsync(server) == 0,
                () => "Stores of the generators are left on the server."
            );
        }
        finally
        {
            whole.Kill(entireProcessTree: true);
        }

        // Generators that outlive it write their reports, into the folder that is removed next.
        await HangGuard.UntilAsync(() => !IsUsed(Cli.Folder), () => "A generator goes on without the process that started it.");
    }

    /// <summary>Whether a process was given the folder; unknown, and so false, where the system has no <c>/proc</c>.</summary>
    private static bool IsUsed(string folder) =>
        Directory.Exists("/proc")
        && Directory
            .EnumerateDirectories("/proc")
            .Any(process =>
            {
                try
                {
                    return File.ReadAllText(Path.Combine(process, "cmdline")).Contains(folder);
                }
                catch (Exception e) when (e is IOException or UnauthorizedAccessException)
                {
                    return false;
                }
            });
}
