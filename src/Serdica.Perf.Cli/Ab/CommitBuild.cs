namespace Serdica.Perf.Cli.Ab;

/// <summary>
/// A commit in a git worktree of its own in the temporary folder, built in Release. Disposing it removes the worktree, and
/// nothing of the user's own is touched.
/// </summary>
internal sealed class CommitBuild : IAsyncDisposable
{
    private const string Project = "src/Serdica.Perf.Cli/Serdica.Perf.Cli.csproj";

    /// <summary>Ignored by git, and needed where the feed lacks packages.</summary>
    private const string Switches = "drivers.props";

    private static readonly Dictionary<string, string> NoVariables = [];

    private readonly string _repository;
    private readonly string _worktree;

    private CommitBuild(string repository, string worktree) => (_repository, _worktree) = (repository, worktree);

    /// <summary>What was built.</summary>
    public string Assembly { get; private set; } = "";

    /// <summary>The root of the worktree.</summary>
    public string Folder => _worktree;

    public MeasuringProgram Program => new(Assembly, _worktree);

    /// <summary>The full id of a revision.</summary>
    /// <exception cref="UsageException">There is no repository here, or no such commit.</exception>
    public static async Task<string> ResolveAsync(string revision, string folder, CancellationToken cancellationToken)
    {
        if (await RootAsync(folder, cancellationToken) is null)
            throw new UsageException($"commit:{revision} needs a git repository, and '{folder}' is not in one; change to your checkout.");
        var (exitCode, output, _) = await GitAsync(
            folder,
            cancellationToken,
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            revision + "^{commit}"
        );
        return exitCode == 0
            ? output.Trim()
            : throw new UsageException($"git has no commit '{revision}' here; name one from 'git log', for instance commit:HEAD~1.");
    }

    /// <summary>A commit of this suite, by its full id.</summary>
    /// <exception cref="MeasuringException">The commit does not build; nothing is left behind.</exception>
    public static async Task<CommitBuild> CreateAsync(string commit, string folder, CancellationToken cancellationToken) =>
        await CreateAsync(commit, (await RootAsync(folder, cancellationToken))!, Project, cancellationToken);

    /// <summary>A commit, by its full id, of a repository with scenarios of its own.</summary>
    /// <exception cref="MeasuringException">The commit does not build; nothing is left behind.</exception>
    public static async Task<CommitBuild> OfProjectAsync(string commit, OwnProject project, CancellationToken cancellationToken)
    {
        var repository = (await RootAsync(project.Folder, cancellationToken))!;
        return await CreateAsync(commit, repository, Path.GetRelativePath(repository, project.File), cancellationToken);
    }

    private static async Task<CommitBuild> CreateAsync(
        string commit,
        string repository,
        string project,
        CancellationToken cancellationToken
    )
    {
        var worktree = Path.Combine(OwnFolder.CreateTemporary("serdica-perf-ab-"), commit[..12]);
        var build = new CommitBuild(repository, worktree);
        try
        {
            var (exitCode, _, error) = await GitAsync(repository, cancellationToken, "worktree", "add", "--detach", worktree, commit);
            if (exitCode != 0)
                throw new MeasuringException(
                    ExitCodes.Failed,
                    $"git cannot make a worktree of the commit {commit[..12]}: {ChildProcess.LastLine(error)}"
                );
            if (!File.Exists(Path.Combine(worktree, project)))
                throw new MeasuringException(ExitCodes.Usage, $"The commit {commit[..12]} has no {project}, so it cannot be measured.");
            if (File.Exists(Path.Combine(repository, Switches)))
                File.Copy(Path.Combine(repository, Switches), Path.Combine(worktree, Switches), overwrite: true);
            build.Assembly = await ProjectBuild.RunAsync(Path.Combine(worktree, project), $"The commit {commit[..12]}", cancellationToken);
            return build;
        }
        catch
        {
            await build.DisposeAsync();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await GitAsync(_repository, CancellationToken.None, "worktree", "remove", "--force", _worktree);
        OwnFolder.Delete(Path.GetDirectoryName(_worktree)!);
        await GitAsync(_repository, CancellationToken.None, "worktree", "prune");
    }

    private static async Task<string?> RootAsync(string folder, CancellationToken cancellationToken)
    {
        var (exitCode, output, _) = await GitAsync(folder, cancellationToken, "rev-parse", "--show-toplevel");
        return exitCode == 0 ? output.Trim() : null;
    }

    private static Task<(int ExitCode, string Output, string Error)> GitAsync(
        string folder,
        CancellationToken cancellationToken,
        params string[] arguments
    ) => ChildProcess.RunAsync("git", arguments, folder, NoVariables, cancellationToken);
}
