using System.Text.RegularExpressions;
using Serdica.Perf.Cli.Measuring;
using Serdica.Perf.Cli.Options;
using Serdica.Perf.Databases;

namespace Serdica.Perf.Cli.Ab;

/// <summary>
/// A commit in a git worktree of its own in the temporary folder, built in Release. Disposing it removes the worktree, and
/// nothing of the user's own is touched.
/// </summary>
internal sealed partial class CommitBuild : IAsyncDisposable
{
    private const string Project = "src/Serdica.Perf.Cli/Serdica.Perf.Cli.csproj";
    private const string Assembly = "src/Serdica.Perf.Cli/bin/Release/net10.0/serdica-perf.dll";

    /// <summary>Ignored by git, and needed where the feed lacks packages.</summary>
    private const string Switches = "drivers.props";

    private static readonly Dictionary<string, string> NoVariables = [];

    private readonly string _repository;
    private readonly string _worktree;

    private CommitBuild(string repository, string worktree) => (_repository, _worktree) = (repository, worktree);

    public MeasuringProgram Program => new(Path.Combine(_worktree, Assembly), _worktree);

    /// <summary>The full id of a revision.</summary>
    /// <exception cref="UsageException">There is no repository here, or no such commit.</exception>
    public static async Task<string> ResolveAsync(string revision, string folder, CancellationToken cancellationToken)
    {
        if (await RootAsync(folder, cancellationToken).ConfigureAwait(false) is null)
            throw new UsageException($"commit:{revision} needs a git repository, and '{folder}' is in none; change into your checkout of Serdica.Perf.");
        var (exitCode, output, _) = await GitAsync(folder, cancellationToken, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}").ConfigureAwait(false);
        return exitCode == 0
            ? output.Trim()
            : throw new UsageException($"git knows no commit '{revision}' here; name one as in 'git log', for instance commit:HEAD~1.");
    }

    /// <param name="commit">A full id.</param>
    /// <param name="folder">Anywhere in the repository.</param>
    /// <param name="cancellationToken">Stops the build.</param>
    /// <exception cref="MeasuringException">The commit does not build; nothing is left behind.</exception>
    public static async Task<CommitBuild> CreateAsync(string commit, string folder, CancellationToken cancellationToken)
    {
        var repository = (await RootAsync(folder, cancellationToken).ConfigureAwait(false))!;
        var worktree = Path.Combine(OwnFolder.CreateTemporary("serdica-perf-ab-"), commit[..12]);
        var build = new CommitBuild(repository, worktree);
        try
        {
            var (exitCode, _, error) = await GitAsync(repository, cancellationToken, "worktree", "add", "--detach", worktree, commit).ConfigureAwait(false);
            if (exitCode != 0)
                throw new MeasuringException(ExitCodes.Failed, $"git can't make a worktree of the commit {commit[..12]}: {LastLine(error)}");
            if (!File.Exists(Path.Combine(worktree, Project)))
                throw new MeasuringException(ExitCodes.Usage, $"The commit {commit[..12]} has no {Project}, so there is no serdica-perf to measure with.");
            if (File.Exists(Path.Combine(repository, Switches)))
                File.Copy(Path.Combine(repository, Switches), Path.Combine(worktree, Switches), overwrite: true);
            await build.BuildAsync(commit, cancellationToken).ConfigureAwait(false);
            return build;
        }
        catch
        {
            await build.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await GitAsync(_repository, CancellationToken.None, "worktree", "remove", "--force", _worktree).ConfigureAwait(false);
        OwnFolder.Delete(Path.GetDirectoryName(_worktree)!);
        await GitAsync(_repository, CancellationToken.None, "worktree", "prune").ConfigureAwait(false);
    }

    private async Task BuildAsync(string commit, CancellationToken cancellationToken)
    {
        // Build servers would go on running, beside the measurement. And a weakness that was found in a package since must
        // not keep an old commit from being measured: its own settings may make an error of it.
        var (exitCode, output, error) = await ChildProcess.RunAsync(
            MeasuringProgram.DotNet,
            ["build", Project, "-c", "Release", "--nologo", "-v", "quiet", "--tl:off", "--disable-build-servers", "-p:NuGetAudit=false"],
            _worktree, NoVariables, cancellationToken).ConfigureAwait(false);
        if (exitCode != 0)
            throw new MeasuringException(ExitCodes.Failed, $"The commit {commit[..12]} does not build: {FirstError(output + error)}");
    }

    private static async Task<string?> RootAsync(string folder, CancellationToken cancellationToken)
    {
        var (exitCode, output, _) = await GitAsync(folder, cancellationToken, "rev-parse", "--show-toplevel").ConfigureAwait(false);
        return exitCode == 0 ? output.Trim() : null;
    }

    private static Task<(int ExitCode, string Output, string Error)> GitAsync(string folder, CancellationToken cancellationToken, params string[] arguments) =>
        ChildProcess.RunAsync("git", arguments, folder, NoVariables, cancellationToken);

    private static string FirstError(string output) =>
        output.Split('\n').Select(line => Error().Match(line)).FirstOrDefault(match => match.Success)?.Groups["what"].Value.Trim() ?? LastLine(output);

    private static string LastLine(string text) =>
        text.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).LastOrDefault() ?? "it said nothing.";

    // The file and the project around the message hold paths of this machine.
    [GeneratedRegex(@"\berror (?<what>[A-Z]+\d+: .*?)(?: \[.*)?$")]
    private static partial Regex Error();
}
