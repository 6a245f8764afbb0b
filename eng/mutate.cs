#!/usr/bin/env dotnet
#:property PublishAot=false
#:property PartsFolder=Mutation
#:property RootNamespace=Serdica.Perf

// Runs the tests on code that was changed in one place at a time (docs/mutation-testing.md).
//
//   dotnet run eng/mutate.cs [-- [--target NAME]... [--sample N [--offset M]] [--list] [--least PERCENT] [--results DIR]]
//
// --target NAME     only the targets whose name contains NAME; may be given more than once
// --sample N        judges N mutants of each target, evenly spread over its code: the score is an estimate then
// --offset M        begins the sample at the mutant M, for other mutants each time
// --list            prints the targets, and runs nothing
// --least PERCENT   the score that each target must reach, without survivors that have a reason; 85 without it
// --results DIR     writes survivors.md and one file of all mutants into DIR
//
// Exit code 0 when every target reached the score, 3 when one did not, 1 when something could not be run, 2 when an argument is not
// understood.

using Serdica.Perf.Mutation;

var root = Child.Repository;
if (MutationOptions.Parse(args, out var argument) is not { } options)
{
    Console.WriteLine($"'{argument}' is not understood; the options are in the first lines of eng/mutate.cs.");
    return 2;
}

var targets = MutationTarget.All.Where(target => options.Targets.Count == 0 || options.Targets.Any(target.Name.Contains)).ToArray();
if (options.IsList || options.Targets.Any(name => !targets.Any(target => target.Name.Contains(name))))
{
    Console.WriteLine(string.Join('\n', MutationTarget.All.Select(target => $"{target.Name}: {string.Join(", ", target.Files)}")));
    return options.IsList ? 0 : 2;
}

var excused = Survivors.Read(Path.Combine(root, "docs", "mutation-testing.md"));
var reports = new List<MutationReport>();
try
{
    foreach (var target in targets)
    {
        reports.Add(await MutationRun.RunAsync(root, target, options.Sample, options.Offset, excused, Console.Out));
        reports[^1].Print(Console.Out);
        if (options.Results is { } folder)
            MutationReport.Write(folder, reports);
    }
}
catch (MutationException error)
{
    Console.WriteLine(error.Message);
    return 1;
}

Console.WriteLine();
Console.WriteLine($"{"target", -16} {"mutants", 8} {"killed", 8} {"survived", 9} {"reason", 8} {"score", 7}");
foreach (var report in reports)
    Console.WriteLine(
        $"{report.Target, -16} {report.Mutants.Count, 8} {report.Killed, 8} {report.Mutants.Count - report.Killed, 9} "
            + $"{report.Excused, 8} {report.Score, 6:0.0} %"
    );
return reports.TrueForAll(report => report.Score >= options.Least) ? 0 : 3;

internal sealed record MutationOptions(IReadOnlyList<string> Targets, bool IsList, double Least, int? Sample, int Offset, string? Results)
{
    /// <returns>Null with an argument that is not understood.</returns>
    public static MutationOptions? Parse(string[] args, out string? unknown)
    {
        unknown = null;
        var culture = CultureInfo.InvariantCulture;
        var targets = new List<string>();
        var (isList, least, sample, offset, results) = (false, 85.0, (int?)null, 0, (string?)null);
        for (var i = 0; i < args.Length; i++)
        {
            if (args[i] == "--list")
                isList = true;
            else if (args[i] == "--target" && i + 1 < args.Length)
                targets.Add(args[++i]);
            else if (args[i] == "--least" && i + 1 < args.Length && double.TryParse(args[i + 1], culture, out var score))
                (least, i) = (score, i + 1);
            else if (args[i] == "--sample" && i + 1 < args.Length && int.TryParse(args[i + 1], out var count) && count > 0)
                (sample, i) = (count, i + 1);
            else if (sample > 0 && args[i] == "--offset" && i + 1 < args.Length && int.TryParse(args[i + 1], out var first) && first >= 0)
                (offset, i) = (first, i + 1);
            else if (args[i] == "--results" && i + 1 < args.Length)
                results = Path.GetFullPath(args[++i]);
            else
                unknown ??= args[i];
        }

        return unknown is null ? new(targets, isList, least, sample, offset, results) : null;
    }
}
