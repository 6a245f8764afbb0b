#!/usr/bin/env dotnet
#:property PublishAot=false

// Reports whether the commits of the last day made the engine slower: builds the commit of a day ago and this one, measures
// both in turn on the same server, and holds the difference against eng/perf-gate.json. That it is the same machine in the
// same minutes is what makes it an answer on agents that differ from one night to the next.
//
//   dotnet run eng/regression.cs [-- [--since TIME] [arguments for `serdica-perf ab`]]
//
// --since   how far back the base is, such as 2020-01-31, 2020-01-31T22:00:00Z or "36 hours ago"; "1 day ago" without it
//
// Exit codes: 0 nothing became slower by more than a limit, or nothing that is measured has changed; 3 a limit was
// exceeded; 5 nothing could be judged, or the speed could not; 1 git does not know the base, or the measurement could not be
// finished; 2 an argument is not understood; others are those of `serdica-perf ab`.

var root = Child.Repository;
var project = Path.Combine(root, "src", "Serdica.Perf.Cli");
var at = Array.IndexOf(args, "--since");
if (at >= 0 && at + 1 == args.Length)
{
    Console.WriteLine("--since has no value; give a time, for instance \"1 day ago\".");
    return 2;
}

var since = at < 0 ? "1 day ago" : args[at + 1];
string[] further = at < 0 ? args : [.. args[..at], .. args[(at + 2)..]];

// What git does not understand is now to it, and nothing has changed since.
if (
    !Regex.IsMatch(since, "^[0-9]+ (minute|hour|day|week|month|year)s? ago\\z")
    && !(
        Regex.IsMatch(since, "^[0-9]{4}-[0-9]{2}-[0-9]{2}")
        && DateTimeOffset.TryParse(since, CultureInfo.InvariantCulture, DateTimeStyles.AssumeLocal, out _)
    )
)
{
    Console.WriteLine($"--since is '{since}'; give a date such as 2020-01-31, or a time such as \"36 hours ago\" (minutes to years).");
    return 2;
}

// On a day without a change `serdica-perf ab` does not check them.
string[] known = ["--backend", "--scenario", "--warmup", "--workers", "--blocks", "--source", "--output", "--json"];
if (ScriptArguments.HasUnknown(further.Where(argument => argument.StartsWith('-') && !known.Contains(argument.Split('=')[0])), known))
    return 2;

// Pipelines publish it whatever happens.
Directory.CreateDirectory(Path.Combine(root, "TestResults", "workflow-performance"));

var (failed, before) = await GitAsync("rev-list", "-1", "--first-parent", $"--before={since}", "HEAD");
if (failed != 0)
{
    Console.WriteLine($"git does not know the commit of {since}: {before}");
    return 1;
}

if (before.Length == 0)
{
    var isShallow = (await GitAsync("rev-parse", "--is-shallow-repository")).Output == "true";
    Console.WriteLine(
        isShallow
            ? $"This clone has no commit of {since}, because it is shallow: fetch the whole history."
            : $"HEAD has no commit from before '{since}', so there is nothing to compare with."
    );
    return isShallow ? 1 : 0;
}

// What is measured, and what it is built with.
if (
    (
        await GitAsync(
            "diff",
            "--quiet",
            before,
            "HEAD",
            "--",
            "src",
            "Directory.Build.props",
            "Directory.Packages.props",
            "global.json",
            "eng/measuring.props"
        )
    ).ExitCode == 0
)
{
    Console.WriteLine($"Nothing that is measured has changed since {before[..12]}.");
    return 0;
}

// Where runs spread by 5 %, sixteen blocks exclude what the limits do not allow in nearly every comparison of equal code.
string[] blocks = further.Any(argument => argument.StartsWith("--blocks", Ordinal)) ? [] : ["--blocks", "16"];

return await Child.DotnetAsync(
    root,
    [
        "run",
        "-c",
        "Release",
        "--project",
        project,
        "--",
        "ab",
        "--base",
        $"commit:{before}",
        "--candidate",
        "commit:HEAD",
        "--operations",
        "20000",
        "--concurrency",
        "64",
        "--load",
        "closed",
        "--gate",
        Path.Combine(root, "eng", "perf-gate.json"),
        .. blocks,
        .. further,
    ]
);

async Task<(int ExitCode, string Output)> GitAsync(params string[] arguments)
{
    var (exitCode, output, error) = await Child.CaptureAsync("git", arguments, root);
    return (exitCode, (exitCode == 0 ? output : error).Trim());
}
