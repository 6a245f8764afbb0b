#!/usr/bin/env dotnet
#:property PublishAot=false

// Prepares DocumentDB: a folder with PostgreSQL 18, its extension documentdb and every library they need, from the
// packages of Debian's unstable distribution. The programs run where they lie, on an older Debian too; nothing is
// installed, nothing of the machine is changed, and no privileges are needed. Quick when there is nothing to do.
//
//   dotnet run eng/documentdb.cs [-- --force] [--quiet]
//
// --force   prepares it again, even if it is there; stop local servers that run from it first
// --quiet   prints only what is missing or was changed
//
// Exit code 0 when DocumentDB can be measured, 1 when it cannot; a sentence then reports why, and what to do. 2 when an
// argument is not understood.

using Serdica.Perf.Databases;
using Serdica.Perf.Databases.PostgreSql.Installed;

if (ScriptArguments.HasUnknown(args, "--force", "--quiet"))
    return 2;

var force = args.Contains("--force");
var quiet = args.Contains("--quiet");

// Where the suite looks; the first is where this program puts it.
var asked = Environment.GetEnvironmentVariable("SERDICA_PERF_CACHE")?.Trim();
var folders = PreparedDocumentDb.FoldersFor(asked is { Length: > 0 } ? asked : null);

if (!string.IsNullOrWhiteSpace(Environment.GetEnvironmentVariable("SERDICA_PERF_DOCUMENTDB")))
    return Found("the server that SERDICA_PERF_DOCUMENTDB names");

if (!force && folders.Select(folder => new PreparedFolder(folder)).FirstOrDefault(folder => folder.IsComplete) is { } ready)
    return Found($"prepared in {ready.Path}; --force prepares it again");

try
{
    var started = TimeProvider.System.GetTimestamp();
    var what = await new PreparedFolder(folders[0]).PrepareAsync(force);
    Console.WriteLine($"DocumentDB: {what}, after {TimeProvider.System.GetElapsedTime(started).TotalSeconds:F0} s.");
    return 0;
}
catch (Exception e) when (e is PreparationException or IOException or UnauthorizedAccessException)
{
    Console.WriteLine(
        $"DocumentDB: not prepared, so it cannot be measured ({e.Message}). "
            + "SERDICA_PERF_DOCUMENTDB can name another server with the extension 'documentdb'."
    );
    return 1;
}

int Found(string what)
{
    if (!quiet)
        Console.WriteLine($"DocumentDB: {what}.");

    return 0;
}

/// <summary>The folder that holds the programs, complete or not there at all.</summary>
internal sealed class PreparedFolder(string path)
{
    // To be raised when folders of an older version of this program must be made anew.
    private const string Recipe = "Serdica.Perf, DocumentDB, recipe 1";

    public string Path => path;

    public bool IsComplete => File.Exists(Stamp) && File.ReadAllText(Stamp).TrimEnd() == Recipe;

    private string Stamp => System.IO.Path.Combine(Path, "prepared");

    /// <summary>Makes the folder, unless another process has just done so. Returns what there is now.</summary>
    public async Task<string> PrepareAsync(bool force)
    {
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(Path)!);
        var work = Path + ".new";
        await using var turn = await TurnAsync();

        if (IsComplete && !force)
            return $"prepared in {Path} by another process";

        // Before anything is loaded: what stands there may be somebody else's.
        foreach (var folder in (string[])[Path, work])
        {
            if (Directory.Exists(folder) && !OwnFolder.IsOurs(folder))
            {
                throw new PreparationException(
                    $"the folder '{folder}' was not created by this program: remove it, or set SERDICA_PERF_CACHE to another folder"
                );
            }
        }

        Console.WriteLine(
            $"DocumentDB: preparing it in {Path} from Debian's packages (140 MB to download, 390 MB on disk, about 1 minute) ..."
        );
        OwnFolder.Delete(work);
        OwnFolder.Create(work);

        try
        {
            var packages = await new DebianPackages(System.IO.Path.Combine(work, "apt")).LoadAsync();
            var tree = new ProgramTree(System.IO.Path.Combine(work, "root"), Path);
            await tree.UnpackAsync(packages);
            await tree.MakeRunnableAsync();

            OwnFolder.Delete(Path);
            OwnFolder.Mark(tree.Folder);
            Directory.Move(tree.Folder, Path);
            var server = await tree.VersionAsync();
            await File.WriteAllTextAsync(Stamp, Recipe + "\n");
            return $"{DebianPackages.VersionIn(packages)} with {server} is prepared in {Path}";
        }
        finally
        {
            OwnFolder.Delete(work);
        }
    }

    /// <summary>Two processes at a time would undo each other's work.</summary>
    private async Task<FileStream> TurnAsync()
    {
        var file = Path + ".lock";

        while (true)
        {
            try
            {
                return new FileStream(file, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
            }
            catch (IOException) when (File.Exists(file))
            {
                await Task.Delay(FromSeconds(1));
            }
        }
    }
}

/// <summary>Loads packages and all they depend on with apt, whose state and lists are a folder of their own.</summary>
internal sealed class DebianPackages(string folder)
{
    private const string Keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";

    private const string Extension = "postgresql-18-documentdb";

    private static readonly string[] Wanted = [Extension, "patchelf"];

    /// <summary>Version of the extension among the files of packages, which are named <c>package_version_architecture.deb</c>.</summary>
    public static string VersionIn(string[] packages) =>
        packages.Select(package => Path.GetFileName(package).Split('_')).First(parts => parts[0] == Extension)[1];

    /// <summary>Returns the files of the packages.</summary>
    public async Task<string[]> LoadAsync()
    {
        if (!File.Exists("/etc/debian_version") || !File.Exists("/usr/bin/apt-get"))
        {
            throw new PreparationException(
                "its packages come from Debian, and this system is not Debian; "
                    + "the suite finds a PostgreSQL that has the extension 'documentdb' by itself"
            );
        }

        await WriteConfigurationAsync(await MirrorsAsync());
        var update = await AptAsync("update", "-q");
        var install = await AptAsync(["install", "-y", "-q", "--download-only", .. Wanted]);

        // The update complains about a mirror that lacks the distribution, too, and another may have it.
        if (install.ExitCode != 0)
        {
            throw new PreparationException(
                "apt-get got no packages from the mirrors of this machine: "
                    + $"{Complaint(update.Output) ?? Complaint(install.Output) ?? "it gave no reason"}"
            );
        }

        return Directory.GetFiles(Path.Combine(folder, "cache/archives"), "*.deb");
    }

    /// <summary>The mirrors in apt's own sources that may have Debian's distributions: those of its main component.</summary>
    private static async Task<string[]> MirrorsAsync()
    {
        string[] arguments =
        [
            "indextargets",
            "--no-release-info",
            "--format",
            "$(COMPONENT) $(RELEASE) $(REPO_URI)",
            "Identifier: Packages",
        ];
        var (_, output, _) = await Child.CaptureAsync("apt-get", arguments, "/");

        // bookworm-updates, bookworm-security and their like lie elsewhere, or on the same mirror.
        string[] mirrors =
        [
            .. output
                .Split('\n')
                .Select(line => line.Split(' '))
                .Where(fields => fields is ["main", var release, _] && !release.Contains('-', Ordinal))
                .Select(fields => fields[2])
                .Distinct(),
        ];

        return mirrors.Length > 0 ? mirrors : throw new PreparationException("apt's sources name no mirror of Debian");
    }

    private async Task WriteConfigurationAsync(string[] mirrors)
    {
        Directory.CreateDirectory(Path.Combine(folder, "state/lists/partial"));
        Directory.CreateDirectory(Path.Combine(folder, "cache/archives/partial"));

        // An empty list of what is installed: nothing of the machine counts, every library comes along.
        await File.WriteAllTextAsync(Path.Combine(folder, "status"), "");

        var signedBy = File.Exists(Keyring) ? $"signed-by={Keyring} " : "";
        await File.WriteAllLinesAsync(
            Path.Combine(folder, "sources.list"),
            mirrors.Select(mirror => $"deb [{signedBy}target=Packages] {mirror} sid main")
        );

        // Read after the machine's own configuration, so that its proxy holds here too. Signatures are checked, ages
        // are not: a mirror may be a copy from some time ago.
        await File.WriteAllTextAsync(
            Path.Combine(folder, "apt.conf"),
            $"""
            Dir::State "{folder}/state";
            Dir::State::status "{folder}/status";
            Dir::Cache "{folder}/cache";
            Dir::Etc::sourcelist "{folder}/sources.list";
            Dir::Etc::sourceparts "/dev/null";
            Dir::Etc::preferences "/dev/null";
            Dir::Etc::preferencesparts "/dev/null";
            APT::Install-Recommends "false";
            APT::Get::List-Cleanup "false";
            Acquire::Check-Valid-Until "false";
            Acquire::Languages "none";
            Acquire::Retries "1";
            Acquire::http::Timeout "20";
            Acquire::https::Timeout "20";
            #clear APT::Update::Pre-Invoke;
            #clear APT::Update::Post-Invoke;
            #clear APT::Update::Post-Invoke-Success;
            #clear DPkg::Post-Invoke;
            """
        );
    }

    private async Task<(int ExitCode, string Output)> AptAsync(params string[] arguments)
    {
        var (exitCode, output, error) = await Child.CaptureAsync(
            "env",
            [$"APT_CONFIG={folder}/apt.conf", "LC_ALL=C", "apt-get", .. arguments],
            "/"
        );
        return (exitCode, $"{output}\n{error}");
    }

    /// <summary>The first line with an error, else the first with a warning.</summary>
    private static string? Complaint(string output)
    {
        var lines = output.Split('\n', StringSplitOptions.TrimEntries);
        return Array.Find(lines, line => line.StartsWith("E:", Ordinal))
            ?? Array.Find(lines, line => line.StartsWith("W:", Ordinal));
    }
}

/// <summary>
/// A tree of unpacked packages that is made to run at its destination. The loader and the libraries of the tree are
/// written into its programs, because those of an older system will not do; programs of the system started by them
/// (a shell) keep the system's own, as they would not with LD_LIBRARY_PATH.
/// </summary>
internal sealed class ProgramTree(string folder, string destination)
{
    // All else, such as the programs that packages depend on, is never run.
    private static readonly string[] Kept = ["usr/lib", "usr/lib64", "usr/share/postgresql"];

    private static readonly string[] Modules = ["pg_cron.so", "pg_documentdb_core.so", "pg_documentdb.so", "postgis-3.so", "vector.so"];

    public string Folder => folder;

    private string Libraries => Only(Directory.GetDirectories(Path.Combine(folder, "usr/lib"), "*-linux-gnu*"), "a folder of libraries");

    private string Server => Only(Directory.GetDirectories(Path.Combine(folder, "usr/lib/postgresql")), "a PostgreSQL");

    private string Loader => Only(Directory.GetFiles(Libraries, "ld-linux*.so.*"), "a loader");

    /// <summary>Where the loader is to look, in this tree. Debian links blas and lapack into the first at installation.</summary>
    private string[] SearchPath =>
        [Libraries, Path.Combine(Libraries, "blas"), Path.Combine(Libraries, "lapack"), Path.Combine(Server, "lib")];

    public async Task UnpackAsync(string[] packages)
    {
        // Closed to others until the set-user-id bits are gone.
        await CheckedAsync("mkdir", ["-m", "700", folder]);
        await Parallel.ForEachAsync(packages, async (package, _) => await CheckedAsync("dpkg-deb", ["-x", package, folder]));
    }

    public async Task MakeRunnableAsync()
    {
        var patchElf = Path.Combine(folder, "usr/bin/patchelf");
        string[] own = ["--library-path", Libraries, patchElf];

        // A library with a search path of its own would not be helped by that of the program.
        await CheckedAsync(Loader, [.. own, "--remove-rpath", .. SearchPath.SelectMany(path => Binaries(path, "*.so*"))]);

        var searchPath = string.Join(':', SearchPath.Select(AtDestination));
        string[] change = ["--set-interpreter", AtDestination(Loader), "--force-rpath", "--set-rpath", searchPath];
        await CheckedAsync(Loader, [.. own, .. change, .. Binaries(Path.Combine(Server, "bin"), "*")]);

        foreach (var module in Modules)
            await CheckedAsync(Loader, ["--library-path", string.Join(':', SearchPath), "--list", Path.Combine(Server, "lib", module)]);

        // Debian makes this link at installation.
        var extensions = Path.Combine(folder, "usr/share/postgresql", Path.GetFileName(Server), "extension");
        File.CreateSymbolicLink(Path.Combine(extensions, "postgis.control"), "postgis-3.control");

        Prune(folder, "");
        await CheckedAsync("chmod", ["-R", "a-st,u=rwX,go=rX", folder]);
    }

    /// <summary>What the server program says of itself at its destination, for example <c>postgres (PostgreSQL) 18.6</c>.</summary>
    public async Task<string> VersionAsync()
    {
        var program = Path.Combine(
            Only(Directory.GetDirectories(Path.Combine(destination, "usr/lib/postgresql")), "a PostgreSQL"),
            "bin/postgres"
        );
        return await CheckedAsync(program, ["--version"]);
    }

    /// <summary>The programs and libraries in a folder, without scripts and without links to them.</summary>
    private static IEnumerable<string> Binaries(string path, string pattern)
    {
        var start = new byte[4];

        foreach (var file in new DirectoryInfo(path).EnumerateFiles(pattern).Where(file => file.LinkTarget is null))
        {
            using var stream = file.OpenRead();

            if (
                stream.ReadAtLeast(start, start.Length, throwOnEndOfStream: false) == start.Length
                && start.AsSpan().SequenceEqual("\u007fELF"u8)
            )
                yield return file.FullName;
        }
    }

    /// <summary>Removes a tree that this program has just unpacked; marking it as its own folder is therefore safe.</summary>
    private static void Drop(string part)
    {
        OwnFolder.Mark(part);
        OwnFolder.Delete(part);
    }

    private static void Prune(string path, string name)
    {
        foreach (var entry in new DirectoryInfo(path).EnumerateFileSystemInfos())
        {
            var own = Path.Combine(name, entry.Name);

            if (Kept.Contains(own))
                continue;

            if (entry is DirectoryInfo && Array.Exists(Kept, kept => kept.StartsWith(own + "/", Ordinal)))
                Prune(entry.FullName, own);
            else if (entry is DirectoryInfo { LinkTarget: null })
                Drop(entry.FullName);
            else
                entry.Delete();
        }
    }

    private string AtDestination(string path) => destination + path[folder.Length..];

    private static string Only(string[] found, string what) =>
        found.Length == 1 ? found[0] : throw new PreparationException($"the packages have {what} {found.Length} times instead of once");

    private static async Task<string> CheckedAsync(string program, string[] arguments)
    {
        var (exitCode, standard, error) = await Child.CaptureAsync(program, arguments, "/");
        var output = $"{standard}\n{error}";

        return exitCode == 0 && !output.Contains("not found", Ordinal)
            ? output.Trim()
            : throw new PreparationException(
                $"{Path.GetFileName(program)} failed with exit code {exitCode}: {output.Trim().Split('\n')[^1]}"
            );
    }
}

/// <summary>DocumentDB cannot be prepared; the message is a clause for people.</summary>
internal sealed class PreparationException(string message) : Exception(message);
