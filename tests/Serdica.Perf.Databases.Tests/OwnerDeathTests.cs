namespace Serdica.Perf.Databases.Tests;

public sealed class OwnerDeathTests : ScratchTests
{
    [Theory]
    [InlineData(DatabaseEnvironment.PostgreSql, false)]
    [InlineData(DatabaseEnvironment.PostgreSql, true)]
    [InlineData(DatabaseEnvironment.DocumentDb, true)]
    public async Task Killed_owner_takes_its_server_and_folder_along(string backend, bool wholeProcessTree)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no watchdog: the next start removes the server.");
        using var owner = await HoldServerAsync(backend);
        var serverId = await ServerIdAsync(owner);
        Assert.True(ServerProcess.IsRunning(serverId));

        owner.Kill(wholeProcessTree);

        await AssertGoneAsync(serverId);
    }

    /// <summary>The file belongs to the server's user, and its number goes to somebody else's process one day.</summary>
    [Fact]
    public async Task Process_of_a_stranger_in_the_pid_file_is_not_signalled_by_the_watchdog()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no watchdog: the next start removes the server.");
        using var owner = await HoldServerAsync(DatabaseEnvironment.PostgreSql);
        var serverId = await ServerIdAsync(owner);
        using var victim = Process.Start("sleep", "600");
        var pidFile = Assert.Single(Directory.GetFiles(Root.Path, "postmaster.pid", SearchOption.AllDirectories));
        await File.WriteAllTextAsync(pidFile, $"{victim.Id}\n", Token);

        try
        {
            owner.Kill();

            await AssertFolderGoneAsync();
            Assert.True(ServerProcess.IsRunning(victim.Id), "The watchdog has killed a process that is none of its own.");
        }
        finally
        {
            victim.Kill();

            // It ends by itself within a minute once its file is not its own.
            Process.GetProcesses().FirstOrDefault(process => process.Id == serverId)?.Kill();
        }
    }

    /// <summary>It takes no notice of the first signal: only the second one, which cannot be put off, ends it.</summary>
    [Fact]
    public async Task Server_that_does_not_stop_when_asked_is_killed()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no watchdog: the next start removes the server.");
        using var owner = await HoldServerAsync(DatabaseEnvironment.PostgreSql);
        var serverId = await ServerIdAsync(owner);
        using (var stop = Process.Start("kill", ["-STOP", $"{serverId}"]))
            await stop.WaitForExitAsync(Token);

        owner.Kill();

        await AssertGoneAsync(serverId);
    }

    /// <summary>No server has written its number there, or one that is long gone.</summary>
    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("99999999")]
    public async Task Folder_goes_where_the_pid_file_names_no_server(string? content)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no watchdog: the next start removes the server.");
        using var owner = await HoldServerAsync(DatabaseEnvironment.PostgreSql);
        var serverId = await ServerIdAsync(owner);
        var pidFile = Assert.Single(Directory.GetFiles(Root.Path, "postmaster.pid", SearchOption.AllDirectories));
        if (content is null)
            File.Delete(pidFile);
        else
            await File.WriteAllTextAsync(pidFile, $"{content}\n", Token);

        try
        {
            owner.Kill();

            await AssertFolderGoneAsync();
        }
        finally
        {
            Process.GetProcesses().FirstOrDefault(process => process.Id == serverId)?.Kill();
        }
    }

    [Fact]
    public async Task Owner_that_ends_without_disposing_leaves_nothing_behind()
    {
        using var owner = await HoldServerAsync(DatabaseEnvironment.PostgreSql);
        var serverId = await ServerIdAsync(owner);

        owner.StandardInput.Close();
        await owner.WaitForExitAsync(Token);

        Assert.Equal(0, owner.ExitCode);
        await AssertGoneAsync(serverId);
    }

    /// <summary>Starts this assembly as another process, which starts a server and waits (see <see cref="Program"/>).</summary>
    private async Task<Process> HoldServerAsync(string backend)
    {
        // Skips here, where it can, when there are no programs to start.
        await LocalServer.SkipWithoutProgramsAsync(backend);

        return Process.Start(
            new ProcessStartInfo(
                Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet",
                ["exec", typeof(Program).Assembly.Location, Program.HoldServer, backend, Root.Path]
            )
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
            }
        )!;
    }

    private static async Task<int> ServerIdAsync(Process owner)
    {
        var line = await owner.StandardOutput.ReadLineAsync(Token);
        return int.Parse(line!, CultureInfo.InvariantCulture);
    }

    private async Task AssertGoneAsync(int serverId)
    {
        await HangGuard.UntilAsync(() => !ServerProcess.IsRunning(serverId), () => $"Server process {serverId} outlived its owner");
        await AssertFolderGoneAsync();
    }

    private Task AssertFolderGoneAsync() =>
        HangGuard.UntilAsync(
            () => !Directory.EnumerateFileSystemEntries(Root.Path).Any(),
            () => $"{Root.Path} still holds the folder of the server"
        );
}
