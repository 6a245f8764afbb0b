using System.ComponentModel;

namespace Serdica.Perf.Results.Machine;

/// <summary>Asks git which commit is measured; without git, reads it from the program.</summary>
internal static class SourceReader
{
    private const int CommitLength = 40;

    private static readonly TimeSpan Patience = FromSeconds(60);

    /// <summary>The commit that the build wrote into a program; null when it wrote none.</summary>
    public static string? BuiltOf(Assembly? program) =>
        program?.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')
            is [_, { Length: CommitLength } commit]
            ? commit
            : null;

    /// <param name="builtOf">The commit that the measuring program was built from; null when it is unknown.</param>
    public static async Task<SourceDescription> ReadAsync(string directory, string? builtOf, CancellationToken cancellationToken)
    {
        var version = typeof(SourceReader).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion;
        SourceDescription Unknown(string reason) => new() { Reason = reason, InformationalVersion = version };

        // This happens in an image, and wherever a program runs that was built elsewhere.
        SourceDescription AsBuilt(string reason) =>
            builtOf is null ? Unknown(reason) : new() { Commit = builtOf, InformationalVersion = version };

        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        patience.CancelAfter(Patience);
        try
        {
            if (await GitAsync(directory, patience.Token, "rev-parse", "HEAD") is not { } commit)
                return AsBuilt("The working directory is not a git repository with a commit.");

            // A commit of another repository is not the suite's: somebody measures workflows of their own.
            if (
                builtOf is not null
                && builtOf != commit
                && await GitAsync(directory, patience.Token, "cat-file", "-e", $"{builtOf}^{{commit}}") is not null
            )
                return Unknown(
                    $"The program was built from commit {builtOf[..12]}, and the working directory is at {commit[..12]}: build it again."
                );

            var changes = await GitAsync(directory, patience.Token, "status", "--porcelain");
            return new() { Commit = commit, Dirty = changes is null ? null : changes.Length > 0, InformationalVersion = version };
        }
        catch (Win32Exception)
        {
            return AsBuilt("There is no git on this machine.");
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return Unknown($"git did not answer within {Patience.TotalSeconds:0} seconds.");
        }
    }

    /// <summary>The output of git; null when git fails.</summary>
    private static async Task<string?> GitAsync(string directory, CancellationToken cancellationToken, params string[] arguments)
    {
        var start = new ProcessStartInfo("git", arguments)
        {
            WorkingDirectory = directory,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };

        // Read-only: a status that refreshes the index would take the lock that somebody else's commit needs.
        start.Environment["GIT_OPTIONAL_LOCKS"] = "0";
        using var git = Process.Start(start)!;
        try
        {
            var output = git.StandardOutput.ReadToEndAsync(cancellationToken);
            var complaints = git.StandardError.ReadToEndAsync(cancellationToken);
            await Task.WhenAll(output, complaints, git.WaitForExitAsync(cancellationToken));
            return git.ExitCode == 0 ? (await output).Trim() : null;
        }
        finally
        {
            if (!git.HasExited)
                git.Kill(entireProcessTree: true);
        }
    }
}
