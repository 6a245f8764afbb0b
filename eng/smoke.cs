#!/usr/bin/env dotnet
#:property PublishAot=false

// Runs the Smoke tier on PostgreSQL and in memory: sets the machine up, builds the command line, runs it. Its output
// and exit code are passed on. It shows that results are correct; `serdica-perf quick` measures.
//
//   dotnet run eng/smoke.cs [-- arguments for `serdica-perf run`]

var root = Path.GetDirectoryName((string)AppContext.GetData("EntryPointFileDirectoryPath")!)!;
var project = Path.Combine(root, "src", "Serdica.Perf.Cli");

// Without a database the run itself says what could not be measured, so its exit code decides and not that of the set-up.
await Child.DotnetAsync(root, "run", Path.Combine(root, "eng", "setup.cs"), "--", "--quiet");

// With --json the output belongs to the result alone.
(args.Contains("--json") ? Console.Error : Console.Out).WriteLine($"Building {Path.GetFileName(project)} ...");

if (await Child.DotnetAsync(root, "build", project, "-c", "Release", "-v", "quiet", "--nologo") is not 0 and var failed)
{
    Console.WriteLine($"{Path.GetFileName(project)} does not build; the errors are above.");
    return failed;
}

var exitCode = await Child.DotnetAsync(
    root,
    [
        "exec",
        Path.Combine(project, "bin", "Release", "net10.0", "serdica-perf.dll"),
        "run",
        "--tier",
        "smoke",
        "--backend",
        "in-memory",
        "--backend",
        "postgresql",
        .. args,
    ]
);

if (exitCode == 0 && !args.Contains("--json"))
{
    Console.WriteLine("Shown: every result was correct. Not shown: how fast, which takes more operations (correctness only).");
    Console.WriteLine("Next, the figures of this machine: dotnet run -c Release --project src/Serdica.Perf.Cli -- quick");
}

return exitCode;
