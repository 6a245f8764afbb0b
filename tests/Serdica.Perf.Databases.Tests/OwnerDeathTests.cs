using System.Diagnostics;
using System.Globalization;

namespace Serdica.Perf.Databases.Tests;

public sealed class OwnerDeathTests : IDisposable
{
    private static readonly TimeSpan GoneWithin = TimeSpan.FromSeconds(30);

    private readonly ScratchFolder _base = new();

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

    [Fact]
    public async Task Owner_that_ends_without_disposing_leaves_nothing_behind()
    {
        using var owner = await HoldServerAsync(DatabaseEnvironment.PostgreSql);
        var serverId = await ServerIdAsync(owner);

        owner.StandardInput.Close();
        await owner.WaitForExitAsync(TestContext.Current.CancellationToken);

        Assert.Equal(0, owner.ExitCode);
        await AssertGoneAsync(serverId);
    }

    public void Dispose() => _base.Dispose();

    /// <summary>Starts this assembly as another process, which starts a server and waits (see <see cref="Program"/>).</summary>
    private async Task<Process> HoldServerAsync(string backend)
    {
        // Skips here, where it can, when there are no programs to start.
        await using (await LocalServer.StartOrSkipAsync(new DatabaseRequest { TemporaryFolder = _base.Path }, backend))
        {
        }

        return Process.Start(new ProcessStartInfo(
            Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet",
            ["exec", typeof(Program).Assembly.Location, Program.HoldServer, backend, _base.Path])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        })!;
    }

    private static async Task<int> ServerIdAsync(Process owner)
    {
        var line = await owner.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken);
        return int.Parse(line!, CultureInfo.InvariantCulture);
    }

    private async Task AssertGoneAsync(int serverId)
    {
        await ServerProcess.UntilAsync(() => !ServerProcess.IsRunning(serverId), GoneWithin, $"Server process {serverId} outlived its owner");
        await ServerProcess.UntilAsync(
            () => !Directory.EnumerateFileSystemEntries(_base.Path).Any(),
            GoneWithin,
            $"{_base.Path} still holds the folder of the server");
    }
}
