using System.Runtime.Versioning;

namespace Serdica.Perf.Workflows.Oracle.Tests.Parsing;

/// <summary>Whoever can write where the parser lies runs code as the tester, and decides whether the tests are green.</summary>
public sealed class PrivateFolderTests : IDisposable
{
    private readonly string _base = Directory.CreateTempSubdirectory("serdica-perf-private-").FullName;

    [Fact]
    [UnsupportedOSPlatform("windows")]
    public void Folder_is_for_its_owner_alone_and_is_found_again()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has other access rights.");
        var path = Path.Combine(_base, "cache", "parser");

        PrivateFolder.Demand(path);
        PrivateFolder.Demand(path);

        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute, File.GetUnixFileMode(path));
    }

    [Fact]
    [UnsupportedOSPlatform("windows")]
    public void Folder_that_others_may_enter_and_a_link_are_refused()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has other access rights.");
        var (open, link, target) = (Path.Combine(_base, "open"), Path.Combine(_base, "link"), Path.Combine(_base, "target"));
        Directory.CreateDirectory(open);
        File.SetUnixFileMode(
            open,
            File.GetUnixFileMode(open) | UnixFileMode.OtherRead | UnixFileMode.OtherWrite | UnixFileMode.OtherExecute
        );
        PrivateFolder.Demand(target);
        File.CreateSymbolicLink(link, target);

        Assert.Contains(open, Assert.Throws<InvalidOperationException>(() => PrivateFolder.Demand(open)).Message);
        Assert.Throws<InvalidOperationException>(() => PrivateFolder.Demand(link));
    }

    [Fact]
    public void Folder_of_somebody_else_is_refused_by_root_too()
    {
        Assert.SkipUnless(!OperatingSystem.IsWindows() && Environment.IsPrivilegedProcess, "Only root can give a folder to another user.");
        var path = Path.Combine(_base, "planted");
        PrivateFolder.Demand(path);
        using (var chown = Process.Start("chown", ["65534", path]))
            chown.WaitForExit();

        Assert.Throws<InvalidOperationException>(() => PrivateFolder.Demand(path));
    }

    [Fact]
    public void Every_package_is_locked_by_its_hash()
    {
        using var json = JsonDocument.Parse(File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "Parsing", "package-lock.json")));
        var packages = json.RootElement.GetProperty("packages").EnumerateObject().Where(package => package.Name.Length > 0).ToArray();

        Assert.NotEmpty(packages);
        Assert.DoesNotContain(packages, package =>
            !package.Value.TryGetProperty("integrity", out var hash) || !hash.GetString()!.StartsWith("sha512-")
        );
    }

    public void Dispose() => Directory.Delete(_base, recursive: true);
}
