namespace Serdica.Perf.Cli.Commands.Run;

/// <summary>Several runs that differ in one thing, and the report that compares them.</summary>
internal sealed record RunLadder
{
    /// <summary>In the run folder of the last size of the server.</summary>
    public const string ServerSizesFile = "server-sizes.md";

    /// <summary>In the run folder of the largest number of hosts.</summary>
    public const string HostsFile = "hosts.md";

    /// <summary>What the report is called at the end.</summary>
    public required string Title { get; init; }

    /// <summary>The report, in the run folder of the last level.</summary>
    public required string File { get; init; }

    /// <summary>The runs, each with the sentence that announces it.</summary>
    public required IReadOnlyList<(string Sentence, RunRequest Request)> Levels { get; init; }

    /// <summary>Writes the report of the levels, which is repeated by a command.</summary>
    public required Action<TextWriter, IReadOnlyList<RunResult>, string> Write { get; init; }

    /// <summary>What the levels show, one sentence for each scenario.</summary>
    public required Func<IReadOnlyList<RunResult>, IEnumerable<string>> Sentences { get; init; }

    /// <summary>Null where one run was asked for.</summary>
    public static RunLadder? Of(RunRequest request) =>
        request.ServerSizes.Count > 0 ? OfServerSizes(request)
        : request.HostCounts.Count > 0 ? OfHosts(request)
        : null;

    private static RunLadder OfServerSizes(RunRequest request) =>
        new()
        {
            Title = "Server sizes",
            File = ServerSizesFile,
            Levels =
            [
                .. request.ServerSizes.Select(
                    (processors, index) =>
                        (
                            Invariant($"The database may use {processors} processor{(processors == 1 ? "" : "s")}."),
                            // What engine and generator cost by themselves is the same on all sizes.
                            request with
                            {
                                Container = request.Container with { Cpus = processors },
                                Overhead = index == 0 ? request.Overhead : [],
                            }
                        )
                ),
            ],
            Write = ServerSizesMarkdown.Write,
            Sentences = ServerSizesMarkdown.Sentences,
        };

    private static RunLadder OfHosts(RunRequest request) =>
        new()
        {
            Title = "Numbers of hosts",
            File = HostsFile,
            Levels =
            [
                .. request.HostCounts.Select(hosts =>
                    (
                        Invariant($"The workflows run in {hosts} host process{(hosts == 1 ? "" : "es")}."),
                        request with { Options = request.Options with { Hosts = hosts } }
                    )
                ),
            ],
            Write = HostLadderMarkdown.Write,
            Sentences = HostLadderMarkdown.Sentences,
        };
}
