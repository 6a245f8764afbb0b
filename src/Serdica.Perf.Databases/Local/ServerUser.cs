namespace Serdica.Perf.Databases.Local;

/// <summary>
/// The unprivileged user that server programs run as, and how to become it. PostgreSQL refuses to run as root, and
/// build machines often run everything as root.
/// </summary>
internal sealed record ServerUser(string Name, string UserId, string GroupId, IReadOnlyList<string> Prefix)
{
    private static readonly string[] Preferred = ["postgres", "nobody"];
    private static readonly string[] ProgramFolders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

    /// <summary>
    /// The user to switch to: <see langword="null"/> without a problem when this process needs none, or with a
    /// sentence in <c>Problem</c> when it is root and there is no way to become somebody else.
    /// </summary>
    public static (ServerUser? User, string? Problem) ForThisProcess()
    {
        // On Windows pg_ctl gives up its privileges by itself.
        if (OperatingSystem.IsWindows() || !Environment.IsPrivilegedProcess)
            return (null, null);

        var user = File.Exists("/etc/passwd") ? Choose(File.ReadLines("/etc/passwd"), LocateProgram) : null;

        return user is null
            ? (
                null,
                "PostgreSQL does not run as root, and there is no user 'postgres' or 'nobody' to switch to with setpriv, runuser or su: "
                    + "run the suite as an ordinary user, or install util-linux."
            )
            : (user, null);
    }

    /// <summary>Chooses the user from lines in the form of <c>/etc/passwd</c>.</summary>
    internal static ServerUser? Choose(IEnumerable<string> passwordFile, Func<string, string?> locateProgram)
    {
        var accounts = passwordFile.Select(line => line.Split(':')).Where(fields => fields.Length >= 4).ToList();
        var account = Preferred.Select(name => accounts.Find(fields => fields[0] == name)).FirstOrDefault(fields => fields is not null);

        return account is not null && SwitchTo(account[0], account[2], account[3], locateProgram) is { } prefix
            ? new ServerUser(account[0], account[2], account[3], prefix)
            : null;
    }

    /// <summary>setpriv first: unlike the others it opens no log-in session.</summary>
    private static IReadOnlyList<string>? SwitchTo(string name, string userId, string groupId, Func<string, string?> locateProgram)
    {
        if (locateProgram("setpriv") is { } setpriv)
            return [setpriv, $"--reuid={userId}", $"--regid={groupId}", "--clear-groups", "--"];

        if (locateProgram("runuser") is { } runuser)
            return [runuser, "-u", name, "--"];

        return locateProgram("su") is { } su ? [su, "-s", "/bin/sh", "-c", "exec \"$@\"", "--", name, "sh"] : null;
    }

    /// <summary>The path of one of the system's own programs; <see langword="null"/> when it is not there.</summary>
    internal static string? LocateProgram(string name)
    {
        var file = ProgramFolders.Select(folder => new FileInfo(Path.Combine(folder, name))).FirstOrDefault(candidate => candidate.Exists);

        // The setpriv of BusyBox knows none of these options.
        return file?.ResolveLinkTarget(returnFinalTarget: true)?.Name == "busybox" && name == "setpriv" ? null : file?.FullName;
    }
}
