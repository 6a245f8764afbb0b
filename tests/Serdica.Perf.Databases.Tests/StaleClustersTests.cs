namespace Serdica.Perf.Databases.Tests;

public sealed class StaleClustersTests : ScratchTests
{
    // Above the largest process number of any system.
    private const int DeadProcessId = int.MaxValue;

    [Fact]
    public void Folder_of_a_dead_owner_is_removed()
    {
        var stale = Folder("stale", ClusterOwner.ThisProcess with { ProcessId = DeadProcessId });

        Sweep();

        Assert.False(Directory.Exists(stale));
    }

    [Fact]
    public void Server_of_a_dead_owner_is_stopped()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has the shell that stands in for the server.");
        var stale = Folder("stale", ClusterOwner.ThisProcess with { ProcessId = DeadProcessId });
        var data = Directory.CreateDirectory(Path.Combine(stale, "server", "data")).FullName;
        using var server = System.Diagnostics.Process.Start("sh", ["-c", "sleep 60; :", "server", data]);
        File.WriteAllText(Path.Combine(data, "postmaster.pid"), server.Id + "\n");
        var called = Path.Combine(Root.Path, "called");

        Sweep(new ServerUser("", "", "", ["sh", "-c", "echo \"$@\" > \"$0\"", called]));
        server.Kill(entireProcessTree: true);

        Assert.Equal($"/nowhere/pg_ctl stop -D {data} -m immediate -s\n", File.ReadAllText(called));
    }

    [Fact]
    public void Folder_whose_owner_number_went_to_another_program_is_removed()
    {
        var stale = Folder("stale", ClusterOwner.ThisProcess with { ProcessName = "somebody-else" });

        Sweep();

        Assert.False(Directory.Exists(stale));
    }

    [Fact]
    public void Folder_of_a_living_owner_stays()
    {
        var living = Folder("living", ClusterOwner.ThisProcess);

        Sweep();

        Assert.True(Directory.Exists(living));
    }

    [Fact]
    public void Folder_of_another_machine_stays()
    {
        var elsewhere = Folder("elsewhere", new ClusterOwner("another-machine", DeadProcessId, "dotnet"));

        Sweep();

        Assert.True(Directory.Exists(elsewhere));
    }

    /// <summary>Machines and containers that share a folder may have the same name: theirs cannot be judged from here.</summary>
    [Fact]
    public void Folder_of_another_machine_of_the_same_name_stays()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Elsewhere a machine is known by its name alone.");
        var elsewhere = Folder("elsewhere", new ClusterOwner(Environment.MachineName, DeadProcessId, "dotnet"));

        Sweep();

        Assert.True(Directory.Exists(elsewhere));
    }

    /// <summary>In the temporary folder anybody may plant a folder with a marker, for a sweep by root.</summary>
    [Fact]
    public void Folder_of_another_user_stays()
    {
        Assert.SkipUnless(!OperatingSystem.IsWindows() && Environment.IsPrivilegedProcess, "Only root can give a folder to another user.");
        var planted = Folder("planted", ClusterOwner.ThisProcess with { ProcessId = DeadProcessId });
        using (var chown = System.Diagnostics.Process.Start("chown", ["-R", "nobody", planted]))
            chown.WaitForExit();

        Sweep();

        Assert.True(Directory.Exists(planted));
    }

    [Fact]
    public void Link_to_a_folder_with_our_marker_stays()
    {
        var target = Directory.CreateDirectory(Path.Combine(Root.Path, "target")).FullName;
        (ClusterOwner.ThisProcess with { ProcessId = DeadProcessId }).Write(Path.Combine(target, ClusterFolder.MarkerName));
        Directory.CreateSymbolicLink(Path.Combine(Root.Path, ClusterFolder.NamePrefix + "link"), target);

        Sweep();

        Assert.True(File.Exists(Path.Combine(target, ClusterFolder.MarkerName)));
    }

    [Fact]
    public void Folders_without_our_marker_stay()
    {
        var unmarked = Folder("unmarked", owner: null);
        var foreign = Folder("foreign", owner: null);
        File.WriteAllLines(Path.Combine(foreign, ClusterFolder.MarkerName), ["Something else", Environment.MachineName, "1", "dotnet"]);
        var otherName = Directory.CreateDirectory(Path.Combine(Root.Path, "important")).FullName;
        (ClusterOwner.ThisProcess with { ProcessId = DeadProcessId }).Write(Path.Combine(otherName, ClusterFolder.MarkerName));

        Sweep();

        Assert.All([unmarked, foreign, otherName], folder => Assert.True(Directory.Exists(folder), folder));
    }

    [Fact]
    public void Process_that_is_no_server_of_the_folder_is_not_signalled()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The victim is a Unix program.");
        using var victim = System.Diagnostics.Process.Start("sleep", "60");
        var stale = Folder("stale", ClusterOwner.ThisProcess with { ProcessId = DeadProcessId });
        var data = Directory.CreateDirectory(Path.Combine(stale, "server", "data")).FullName;
        File.WriteAllText(Path.Combine(data, "postmaster.pid"), victim.Id + "\n");

        Sweep();

        Assert.False(victim.HasExited);
        Assert.False(Directory.Exists(stale));
        victim.Kill();
    }

    private void Sweep(ServerUser? user = null) =>
        StaleClusters.Sweep(Root.Path, new PostgreSqlBinaries("/nowhere", new Version(15, 0)), user, NullLogger.Instance);

    private string Folder(string name, ClusterOwner? owner)
    {
        var path = Directory.CreateDirectory(Path.Combine(Root.Path, ClusterFolder.NamePrefix + name)).FullName;
        owner?.Write(Path.Combine(path, ClusterFolder.MarkerName));
        return path;
    }
}
