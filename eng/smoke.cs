#!/usr/bin/env dotnet
#:property PublishAot=false

// Runs the Smoke tier on PostgreSQL and in memory: sets the machine up, builds the command line, runs it. Its output
// and exit code are passed on. It shows that results are correct; `serdica-perf quick` measures.
//
//   dotnet run eng/smoke.cs [-- arguments for `serdica-perf run`]

var root = Child.Repository;
var project = Path.Combine(root, "src", "Serdica.Perf.Cli");

// With --json the output belongs to the result alone.
var isJson = args.Contains("--json");
var console = isJson ? Console.Error : Console.Out;

// Without a database the run itself says what could not be measured, so its exit code decides and not that of the set-up.
await Child.DotnetAsync(root, isJson, "run", Path.Combine(root, "eng", "setup.cs"), "--", "--quiet");

console.WriteLine($"Building {Path.GetFileName(project)} ...");

if (await Child.DotnetAsync(root, isJson, "build", project, "-c", "Release", "-v", "quiet", "--nologo") is not 0 and var failed)
{
    console.WriteLine($"{Path.GetFileName(project)} does not build; the errors are above.");
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

// With these options nothing is measured.
if (exitCode == 0 && !isJson && !args.Any(argument => argument is "--dry-run" or "--help" or "-h" or "-?"))
{
    Console.WriteLine("Every result was correct. Measuring speed takes more operations.");
    Console.WriteLine("Next, the figures of this machine: dotnet run -c Release --project src/Serdica.Perf.Cli -- quick");
}

return exitCode;
