namespace Serdica.Perf.Databases.Tests;

/// <summary>
/// The entry point: runs the tests, or, for <see cref="OwnerDeathTests"/>, is a process that owns a server and can be
/// killed.
/// </summary>
internal static class Program
{
    public const string HoldServer = "hold-server";

    public static async Task<int> Main(string[] args)
    {
        if (args is not [HoldServer, var backend, var baseFolder])
            return await Xunit.Runner.InProc.SystemConsole.ConsoleRunner.Run(args);

        var request = new DatabaseRequest { Source = DatabaseSourceKind.Local, TemporaryFolder = baseFolder };
        var outcome = await LocalServer.ProvisionAsync(backend, request, CancellationToken.None);
        var server = ((ProvisionOutcome.Provisioned)outcome).Server;

        Console.WriteLine(server.ProcessId!.Value.ToString(CultureInfo.InvariantCulture));
        await Console.In.ReadToEndAsync();

        // Not disposed on purpose: the end of the process has to be enough.
        return 0;
    }
}
