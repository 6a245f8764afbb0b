#!/usr/bin/env dotnet
#:property PublishAot=false

// Shows the report of the newest run, run under faults, or comparison of two commits on the summary page of the pipeline
// that this runs in: Azure Pipelines or GitHub Actions. Elsewhere it prints the path of the report.
//
//   dotnet run eng/report.cs [-- [--optional] [DIR]]
//
// --optional   there may be no run; the folder is then made
// DIR          the folder that holds run folders; TestResults/workflow-performance of this repository without it
//
// Exit code 0 when there is a report, or no run and --optional was given; 1 when there is no report; 2 when an argument is not understood.

if (ScriptArguments.HasUnknown(args.Where(argument => argument.StartsWith('-')), "--optional"))
    return 2;

var root = Child.Repository;
var isOptional = args.Contains("--optional");
var runs = Path.GetFullPath(
    args.FirstOrDefault(arg => arg != "--optional") is { } named ? named : Path.Combine(root, "TestResults", "workflow-performance")
);

// The names of run folders begin with their time. What an earlier run measured is no answer.
var last = Directory.Exists(runs) ? Directory.GetDirectories(runs).Max(StringComparer.Ordinal) : null;
if (last is null && isOptional)
{
    // The pipeline publishes it.
    Directory.CreateDirectory(runs);
    Console.WriteLine("Nothing was measured, so there is no report.");
    return 0;
}

string[] names = ["summary.md", "ab.md", "faults.md", "queue.md", "floor.md"];
var report = last is null ? null : names.Select(name => Path.Combine(last, name)).FirstOrDefault(File.Exists);
if (report is null)
{
    Console.WriteLine(
        last is null
            ? $"There is no report in {runs}, because no run ended there. See the log of the step that measures."
            : $"The last run, {Path.GetFileName(last)}, wrote no report. See the log of the step that measures."
    );
    return 1;
}

Console.WriteLine($"Report: {report}");

// https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands#uploadsummary-add-some-markdown-content-to-the-build-summary
if (Environment.GetEnvironmentVariable("TF_BUILD") is not null)
    Console.WriteLine($"##vso[task.uploadsummary]{report}");

if (Environment.GetEnvironmentVariable("GITHUB_STEP_SUMMARY") is { Length: > 0 } summaryPage)
    await File.AppendAllTextAsync(summaryPage, await File.ReadAllTextAsync(report) + "\n");

return 0;
