namespace Serdica.Perf.Databases.Tests;

public sealed class TemporaryBaseTests : ScratchTests
{
    [Fact]
    public void Folder_asked_for_is_taken_even_in_memory()
    {
        var requested = Path.Combine(Root.Path, "new");

        var chosen = TemporaryBase.Choose(requested, Path.GetTempPath(), _ => "tmpfs");

        Assert.Equal(new TemporaryBase(requested, "tmpfs"), chosen);
        Assert.True(Directory.Exists(requested));
    }

    [Fact]
    public void Temporary_folder_on_a_disk_is_taken()
    {
        var system = Path.TrimEndingDirectorySeparator(Path.GetTempPath());

        Assert.Equal(new TemporaryBase(system, "ext4"), TemporaryBase.Choose(null, system, _ => "ext4"));
    }

    [Fact]
    public void Temporary_folder_in_memory_is_left_for_one_on_a_disk()
    {
        Assert.SkipUnless(Directory.Exists("/var/tmp"), "This machine has no /var/tmp.");

        var chosen = TemporaryBase.Choose(null, "/tmp", folder => folder == "/tmp" ? "tmpfs" : "xfs");

        Assert.Equal(new TemporaryBase("/var/tmp", "xfs"), chosen);
    }

    [Fact]
    public void Where_all_is_in_memory_the_file_system_says_so()
    {
        var chosen = TemporaryBase.Choose(null, Path.GetTempPath(), _ => "tmpfs");

        Assert.Equal("tmpfs", chosen.FileSystem);
    }

    [Fact]
    public void Shared_memory_of_Linux_is_recognised()
    {
        Assert.SkipUnless(Directory.Exists("/dev/shm"), "This machine has no /dev/shm.");

        Assert.True(FileSystems.IsInMemory(FileSystems.Of("/dev/shm")), FileSystems.Of("/dev/shm"));
    }
}
