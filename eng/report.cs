#!/usr/bin/env dotnet
#:property PublishAot=false

// Shows the report of the newest run on the summary page of the pipeline that this runs in: Azure Pipelines or GitHub
// Actions. Elsewhere it says where the report is.
//
//   dotnet run eng/report.cs [-- DIR]
//
// DIR   the folder that holds run folders; TestResults/workflow-performance of this repository without it
//
// Exit code 0 when there is a report, 1 when there is none.

var root = Path.GetDirectoryName((string)AppContext.GetData("EntryPointFileDirectoryPath")!)!;
var runs = Path.GetFullPath(args.Length > 0 ? args[0] : Path.Combine(root, "TestResults", "workflow-performance"));

// The names of run folders begin with their time.
var report = !Directory.Exists(runs) ? null
    : Directory.GetDirectories(runs).OrderDescending(StringComparer.Ordinal)
        .Select(run => Path.Combine(run, "summary.md"))
        .FirstOrDefault(File.Exists);

if (report is null)
{
    Console.WriteLine($"There is no report in {runs}: no run has got to its end there. The log of the step that measures says why.");
    return 1;
}

Console.WriteLine($"Report: {report}");

// https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands#uploadsummary-add-some-markdown-content-to-the-build-summary
if (Environment.GetEnvironmentVariable("TF_BUILD") is not null)
    Console.WriteLine($"##vso[task.uploadsummary]{report}");

if (Environment.GetEnvironmentVariable("GITHUB_STEP_SUMMARY") is { Length: > 0 } summaryPage)
    await File.AppendAllTextAsync(summaryPage, await File.ReadAllTextAsync(report) + "\n");

return 0;
