#!/usr/bin/env dotnet
#:property PublishAot=false

// Runs the Smoke tier on PostgreSQL and in memory: sets the machine up, builds the command line, runs it. Its output
// and exit code are passed on.
//
//   dotnet run eng/smoke.cs [-- arguments for `serdica-perf run`]

using System.Diagnostics;

var root = Path.GetDirectoryName((string)AppContext.GetData("EntryPointFileDirectoryPath")!)!;
var project = Path.Combine(root, "src", "Serdica.Perf.Cli");

// Without a database the run itself says what could not be measured, so its exit code decides and not that of the set-up.
await RunAsync(["run", Path.Combine(root, "eng", "setup.cs"), "--", "--quiet"]);

if (await RunAsync(["build", project, "-c", "Release", "-v", "quiet", "--nologo"]) is not 0 and var failed)
{
    Console.WriteLine($"{Path.GetFileName(project)} does not build; the errors are above.");
    return failed;
}

return await RunAsync(
[
    "exec", Path.Combine(project, "bin", "Release", "net10.0", "serdica-perf.dll"),
    "run", "--tier", "smoke", "--backend", "in-memory", "--backend", "postgresql", .. args,
]);

async Task<int> RunAsync(string[] arguments)
{
    using var process = Process.Start(new ProcessStartInfo("dotnet", arguments) { WorkingDirectory = root })!;

    // Ctrl-C reaches the child as well, which ends in its own time and cleans up; this process waits for it.
    ConsoleCancelEventHandler wait = (_, e) => e.Cancel = true;
    Console.CancelKeyPress += wait;
    await process.WaitForExitAsync();
    Console.CancelKeyPress -= wait;
    return process.ExitCode;
}
