#!/usr/bin/env dotnet
#:property PublishAot=false

// Prepares a machine: finds out which optional packages the configured feed has, and that there is a PostgreSQL.
// Quick when there is nothing to do. Exit code 0 when PostgreSQL can be measured, 1 when it cannot, 2 when
// an argument is not understood.
//
//   dotnet run eng/setup.cs [-- --force] [--quiet] [--no-database] [--documentdb] [--chromium]
//
// --force        asks the feed again, even if its answer is known
// --quiet        prints only what is missing or was changed
// --no-database  skips PostgreSQL: for a machine that only builds
// --documentdb   prepares DocumentDB too (eng/documentdb.cs); a failure does not change the exit code
// --chromium     installs Chromium for the tests of report.html; a failure does not change the exit code

using System.Security.Cryptography;
using Serdica.Perf.Databases;
using Serdica.Perf.Databases.PostgreSql.Installed;

if (ScriptArguments.HasUnknown(args, "--force", "--quiet", "--no-database", "--documentdb", "--chromium"))
    return 2;

var force = args.Contains("--force");
var quiet = args.Contains("--quiet");
var root = Child.Repository;

OptionalPackage[] packages = [new("WithOracleDriver", "Oracle AQ is not measured", "Oracle.ManagedDataAccess.Core", "23.26.0")];

await new DriverSwitches(root, packages, quiet).WriteAsync(force);

if (args.Contains("--documentdb"))
    await PrepareDocumentDbAsync();

await new ReportPage(root, quiet).TellAsync();

if (args.Contains("--chromium"))
    await new Chromium(quiet).EnsureAsync();

return args.Contains("--no-database") || await new PostgreSql(quiet).EnsureAsync() ? 0 : 1;

async Task PrepareDocumentDbAsync()
{
    // Without --force, which there loads 140 MB again.
    string[] arguments = ["run", Path.Combine(root, "eng", "documentdb.cs"), "--", .. quiet ? ["--quiet"] : Array.Empty<string>()];
    await Child.DotnetAsync(root, arguments);
}

/// <summary>Packages that not every feed has, the switch that turns them on, and what is missing without them.</summary>
internal sealed record OptionalPackage(string Switch, string Cost, string Id, string Version)
{
    public string Name => $"{Id} {Version}";
}

/// <summary>The git-ignored drivers.props, which turns each optional package on or off by what the feed has.</summary>
internal sealed class DriverSwitches(string root, OptionalPackage[] packages, bool quiet)
{
    private const string KeyLabel = "Probed packages:";

    private readonly string _file = Path.Combine(root, "drivers.props");

    public async Task WriteAsync(bool force)
    {
        var key = await KeyAsync();

        if (!force && File.Exists(_file) && (await File.ReadAllTextAsync(_file)).Contains($"{KeyLabel} {key}", Ordinal))
        {
            if (!quiet)
            {
                Console.WriteLine(
                    $"Optional packages: drivers.props is up to date ({await DescribeAsync()}); --force asks the feed again."
                );
            }

            return;
        }

        Console.WriteLine("Optional packages: asking the configured feed ...");
        var answers = await Task.WhenAll(packages.Select(async package => (Package: package, Answer: await ProbeAsync(package))));

        foreach (var (package, answer) in answers)
        {
            Console.WriteLine(
                answer switch
                {
                    Answer.Restores => $"  {package.Name}: restores.",
                    Answer.NotOnFeed => $"  {package.Name}: not on the configured feed, so {package.Switch} is off and {package.Cost}.",
                    _ => $"  {package.Name}: the feed gave no clear answer, so {package.Switch} is off for now and {package.Cost}; the "
                        + $"next call asks again.",
                }
            );
        }

        // An answer that may be the network's and not the feed's is not remembered.
        var remembered = answers.All(answer => answer.Answer != Answer.Unclear) ? key : "incomplete";
        await File.WriteAllTextAsync(_file, Compose(remembered, answers));
    }

    private static string Compose(string key, (OptionalPackage Package, Answer Answer)[] answers)
    {
        var file = new StringBuilder();
        file.AppendLine("<!-- Written by `dotnet run eng/setup.cs`: which of the optional packages the configured feed has.");
        file.AppendLine($"     {KeyLabel} {key} -->");
        file.AppendLine("<Project>");
        file.AppendLine("  <PropertyGroup>");

        foreach (var (package, answer) in answers)
        {
            var restores = answer == Answer.Restores;
            file.AppendLine($"    <!-- {package.Name}{(restores ? "" : $": {package.Cost}")}. -->");
            file.AppendLine($"    <{package.Switch}>{(restores ? "true" : "false")}</{package.Switch}>");
        }

        file.AppendLine("  </PropertyGroup>");
        file.AppendLine("</Project>");
        return file.ToString().ReplaceLineEndings("\n");
    }

    private async Task<string> DescribeAsync()
    {
        var text = await File.ReadAllTextAsync(_file);
        var off = packages
            .Where(package => text.Contains($"<{package.Switch}>false", Ordinal))
            .Select(package => package.Switch)
            .ToList();
        return off.Count == 0 ? "all are on" : $"off: {string.Join(", ", off)}";
    }

    /// <summary>Versions and sources as a hash: addresses of feeds stay private.</summary>
    private async Task<string> KeyAsync()
    {
        var sources = await Child.CaptureAsync("dotnet", ["nuget", "list", "source", "--format", "short"], root);
        var text = string.Join('\n', packages.Select(package => package.Name)) + "\n" + sources.Output;
        return Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)))[..16];
    }

    /// <summary>Restores the packages in an empty project outside the repository, so that no props of it apply.</summary>
    private async Task<Answer> ProbeAsync(OptionalPackage package)
    {
        var folder = OwnFolder.CreateTemporary("serdica-perf-probe-");

        try
        {
            await File.WriteAllTextAsync(
                Path.Combine(folder, "probe.csproj"),
                "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup><ItemGroup>"
                    + $"<PackageReference Include=\"{package.Id}\" Version=\"{package.Version}\" /></ItemGroup></Project>"
            );

            // The props stop MSBuild and the SDK from looking further up.
            await File.WriteAllTextAsync(Path.Combine(folder, "Directory.Build.props"), "<Project />");
            await File.WriteAllTextAsync(Path.Combine(folder, "Directory.Packages.props"), "<Project />");

            // The sources of the repository, if it names its own.
            foreach (
                var config in Directory
                    .EnumerateFiles(root)
                    .Where(file => Path.GetFileName(file).Equals("nuget.config", OrdinalIgnoreCase))
            )
                File.Copy(config, Path.Combine(folder, Path.GetFileName(config)));

            var (exitCode, output, error) = await Child.CaptureAsync(
                "dotnet",
                ["restore", "--nologo", "-nodeReuse:false", "-v", "quiet"],
                folder
            );

            if (exitCode == 0)
                return Answer.Restores;

            // NU1101: no such package, NU1102: no such version, NU1103: previews only.
            return new[] { "NU1101", "NU1102", "NU1103" }.Any(code => (output + error).Contains(code, Ordinal))
                ? Answer.NotOnFeed
                : Answer.Unclear;
        }
        finally
        {
            OwnFolder.Delete(folder);
        }
    }

    private enum Answer
    {
        Restores,
        NotOnFeed,
        Unclear,
    }
}

/// <summary>Makes sure that there is a PostgreSQL to measure.</summary>
internal sealed class PostgreSql(bool quiet)
{
    private const string ClusterConfiguration = "/etc/postgresql-common/createcluster.conf";

    public async Task<bool> EnsureAsync()
    {
        if (!string.IsNullOrWhiteSpace(Environment.GetEnvironmentVariable("SERDICA_PERF_POSTGRESQL")))
            return Found("the server that SERDICA_PERF_POSTGRESQL names");

        var found = Find();
        if (found.Binaries is { Folder: var installed })
            return Found($"the programs in {installed}");

        if (await Apt.FindAsync() is { } apt)
        {
            Console.WriteLine("PostgreSQL: not installed; installing the package 'postgresql' with apt-get ...");
            var problem = await InstallAsync(apt);

            found = Find();

            if (problem is null && found.Binaries is { Folder: var fresh })
                return Found($"the programs in {fresh}");

            Console.WriteLine($"PostgreSQL: apt-get could not install it ({problem ?? "no server programs came with it"}).");
        }

        Console.WriteLine($"PostgreSQL: {found.Problem}, or set SERDICA_PERF_POSTGRESQL to a connection string.");
        return false;
    }

    private static (PostgreSqlBinaries? Binaries, string? Problem) Find() => PostgreSqlBinarySearch.OnThisMachine().Find();

    /// <summary>Installs the server without the cluster that Debian makes and starts with it. Returns the problem, if any.</summary>
    private static async Task<string?> InstallAsync(Apt apt)
    {
        if (await apt.InstallAsync("postgresql-common") is { } problem)
            return problem;

        // The package's own switch, for this installation only.
        const string Backup = ClusterConfiguration + ".serdica-perf";
        await apt.RunAsync("cp", "-p", ClusterConfiguration, Backup);
        await apt.RunAsync("sed", "-i", "-E", @"s/^#?\s*create_main_cluster\s*=.*/create_main_cluster = false/", ClusterConfiguration);
        problem = await apt.InstallAsync("postgresql");
        await apt.RunAsync("mv", "-f", Backup, ClusterConfiguration);
        return problem;
    }

    private bool Found(string what)
    {
        if (!quiet)
            Console.WriteLine($"PostgreSQL: {what}.");

        return true;
    }
}

/// <summary>Says whether report.html gets charts: its page is built by Node when the measurement is.</summary>
internal sealed class ReportPage(string root, bool quiet)
{
    public async Task TellAsync()
    {
        var (exitCode, output, _) = await Child.CaptureAsync("node", ["--version"], "/");

        if (exitCode != 0)
        {
            // A page that was built elsewhere is there in an image's build.
            if (!File.Exists(Path.Combine(root, "src", "Serdica.Perf.Report.Web", "dist", "index.html")))
            {
                Console.WriteLine(
                    "Node: not installed, so report.html gets tables without charts; install Node 20.19 or newer with npm, "
                        + "and build again."
                );
            }
        }
        else if (!Version.TryParse(output.Trim().TrimStart('v'), out var version) || version < new Version(20, 19))
        {
            Console.WriteLine(
                $"Node: {output.Trim()} is too old for the page of report.html, which gets tables without charts; "
                    + "install 20.19 or newer, and build again."
            );
        }
        else if (!quiet)
            Console.WriteLine($"Node: {version}; report.html gets charts.");
    }
}

/// <summary>Makes sure that there is a browser for the tests of report.html.</summary>
internal sealed class Chromium(bool quiet)
{
    /// <summary>The shell has no windows and needs two thirds of the processor time; not every system has its package.</summary>
    private static readonly string[] Packages = ["chromium-headless-shell", "chromium"];

    public async Task EnsureAsync()
    {
        if (Installed() != Program(Packages[0]) && await Apt.FindAsync() is { } apt)
        {
            foreach (var package in Packages)
            {
                // Where there is a browser already, only the shell is worth a look, and only where the system knows it.
                if (Installed() is not null && (package != Packages[0] || !await Apt.KnowsAsync(package)))
                    continue;

                Console.WriteLine($"Chromium: installing the package '{package}' with apt-get ...");

                if (await apt.InstallAsync(package) is { } problem)
                    Console.WriteLine($"Chromium: apt-get could not install it ({problem}).");
            }
        }

        if (Installed() is not { } program)
        {
            Console.WriteLine(
                "Chromium: none in /usr/bin. The tests of report.html search the usual places and SERDICA_PERF_CHROMIUM, "
                    + "and are skipped without it."
            );
        }
        else if (!quiet)
            Console.WriteLine($"Chromium: {program}.");
    }

    private static string Program(string package) => $"/usr/bin/{package}";

    private static string? Installed() => Array.Find([.. Packages.Select(Program)], File.Exists);
}

/// <summary>Debian's packages, where they can be installed without asking for a password.</summary>
internal sealed class Apt
{
    private const string Program = "/usr/bin/apt-get";

    private readonly string[] _prefix;

    private Apt(string[] prefix) => _prefix = prefix;

    /// <returns><see langword="null"/> when there is no apt-get, or it needs somebody's password.</returns>
    public static async Task<Apt?> FindAsync()
    {
        if (!File.Exists(Program))
            return null;

        if (Environment.IsPrivilegedProcess)
            return new Apt([]);

        return (await Child.CaptureAsync("sudo", ["-n", "true"], "/")).ExitCode == 0 ? new Apt(["sudo", "-n"]) : null;
    }

    /// <summary>Whether the lists that were read last have the package.</summary>
    public static async Task<bool> KnowsAsync(string package) =>
        (await Child.CaptureAsync("apt-cache", ["show", package], "/")).ExitCode == 0;

    /// <summary>Returns the problem, if any.</summary>
    public async Task<string?> InstallAsync(string package)
    {
        async Task<(int ExitCode, string Output)> TryAsync() =>
            await RunAsync(Program, "install", "-y", "-q", "--no-install-recommends", package);

        // On a bare machine the lists of packages are empty, and only then are they worth the wait.
        var result = await TryAsync();

        if (result.ExitCode != 0)
        {
            await RunAsync(Program, "update", "-q");
            result = await TryAsync();
        }

        return result.ExitCode == 0 ? null : LastLine(result.Output);
    }

    /// <summary>Runs a command as root.</summary>
    public async Task<(int ExitCode, string Output)> RunAsync(params string[] line)
    {
        string[] all = [.. _prefix, "env", "DEBIAN_FRONTEND=noninteractive", .. line];
        var (exitCode, output, error) = await Child.CaptureAsync(all[0], all[1..], "/");
        return (exitCode, $"{output}\n{error}");
    }

    private static string LastLine(string output) =>
        output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).LastOrDefault() ?? "no output";
}
