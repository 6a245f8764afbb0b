using Serdica.Perf.Analysis.History;

namespace Serdica.Perf.Cli.Tests;

/// <summary>A folder of baselines is as it was, whatever reads it.</summary>
public sealed class ReadingCommandTests : CliTests
{
    /// <summary>Commands that are there to write, or that have nothing to do with results.</summary>
    private static readonly string[] Others =
    [
        "quick",
        "list",
        "doctor",
        "run",
        "load",
        "queue",
        "ab",
        "floor",
        "history add",
        "baseline publish",
        "init",
        "worker",
        "dead-letters list",
        "dead-letters requeue",
        "leftovers",
        "faults",
    ];

    /// <summary>RUN, LOAD and HISTORY stand for what is in the folder.</summary>
    private static readonly (string Command, string Arguments)[] Reading =
    [
        ("report", "RUN"),
        ("report", "RUN --base LOAD"),
        ("report", "RUN LOAD"),
        ("compare", "RUN RUN"),
        ("backends", "RUN LOAD"),
        ("trend", "--history HISTORY"),
        ("size", "LOAD"),
        ("baseline check", "RUN"),
        ("check-history", "RUN"),
    ];

    private static readonly string[] Pages = ["", "runs/RUN", "runs/RUN/summary.md", "report?run=RUN&run=LOAD", "compare?run=RUN&run=LOAD"];

    private string Kept => Path.Combine(Cli.Folder, "TestResults", "baselines", "2026-01-01-machine");

    private string History => Path.Combine(Kept, "..", "history.ndjson");

    private async Task KeepAsync()
    {
        Directory.CreateDirectory(Kept);
        Directory.Move(await KeptRun.CopyAsync(Cli.Folder), Path.Combine(Kept, "RUN"));
        // On a busy machine so short a load may start too few operations and fail; what it leaves can be read all the same.
        var output = Path.Combine(Cli.Folder, "measured");
        await Cli.TypeAsync("load --backend in-memory --rate 200 --duration 500ms --warmup 0s --output", output);
        Directory.Move(Assert.Single(Directory.GetDirectories(output)), Path.Combine(Kept, "LOAD"));
        var run = BaselineReader.Read(Path.Combine(Kept, "RUN"));
        var line = new HistoryLine
        {
            Commit = new('0', 40),
            At = run.StartedAt,
            Name = run.Scenarios[0].Name,
            Series = "series",
            Run = run.RunId,
            Repeats = 1,
            Figures = new Dictionary<string, HistoryFigure> { ["throughput"] = new(1, "op/s") },
        };
        HistoryFile.Append(History, [line]);
    }

    [Fact]
    public async Task Commands_that_read_leave_every_file_and_folder_as_it_was()
    {
        await KeepAsync();
        var before = Snapshot();

        foreach (var (command, arguments) in Reading)
        {
            var exitCode = await Cli.RunAsync([.. command.Split(' '), .. arguments.Split(' ').Select(Named)]);

            Assert.Equal(before, Snapshot());
            // A run without faults has no history, and on a busy machine no step of so short a load can be used for a size.
            Assert.True(exitCode == ExitCodes.Success || command is "check-history" or "size", $"{command}: {Cli.Error}");
        }

        // Where a report of baselines is by default: the folder from which the command was called.
        File.Delete(RunFolder.PageFile);
    }

    [Fact]
    public async Task Pages_leave_every_file_and_folder_as_it_was()
    {
        await KeepAsync();
        var before = Snapshot();
        await using var served = new ServedFolder(Kept);

        foreach (var page in Pages)
            Assert.NotEmpty(await served.Client.GetStringAsync(new Uri(page, UriKind.Relative), Token));

        Assert.Equal(before, Snapshot());
    }

    [Fact]
    public void No_command_is_left_out() =>
        Assert.Equal(
            HelpTests.Commands().Where(entry => entry.Command.Subcommands.Count == 0).Select(entry => entry.Path).ToHashSet(),
            Reading.Select(entry => entry.Command).Concat(Others).Append("serve").ToHashSet()
        );

    private string Named(string word) =>
        word switch
        {
            "HISTORY" => History,
            "RUN" or "LOAD" => Path.Combine(Kept, word),
            _ => word,
        };

    private string[] Snapshot() =>
        [
            .. new DirectoryInfo(Path.Combine(Kept, ".."))
                .EnumerateFileSystemInfos("*", SearchOption.AllDirectories)
                .Select(entry => $"{entry.FullName} {(entry as FileInfo)?.Length} {entry.LastWriteTimeUtc:O}")
                .Order(StringComparer.Ordinal),
        ];
}
