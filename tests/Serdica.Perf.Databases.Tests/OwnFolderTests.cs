namespace Serdica.Perf.Databases.Tests;

public sealed class OwnFolderTests : ScratchTests
{
    [Fact]
    public void Folder_that_was_made_here_goes_with_all_it_holds()
    {
        var folder = Made();
        Directory.CreateDirectory(Path.Combine(folder, "a", "b"));
        File.WriteAllText(Path.Combine(folder, "a", "b", "c"), "");

        OwnFolder.Delete(folder);
        OwnFolder.Delete(folder);

        Assert.False(Directory.Exists(folder));
    }

    [Fact]
    public void Folder_without_a_marker_stays_whatever_its_name()
    {
        var folder = Directory.CreateDirectory(Path.Combine(Root.Path, "documentdb")).FullName;
        File.WriteAllText(Path.Combine(folder, "precious"), "as it was");
        File.WriteAllText(Path.Combine(folder, "owner"), "somebody else");

        var refusal = Assert.Throws<IOException>(() => OwnFolder.Delete(folder));

        Assert.Contains(folder, refusal.Message);
        Assert.True(File.Exists(Path.Combine(folder, "precious")));
        Assert.Throws<IOException>(() => OwnFolder.Create(folder));
        Assert.False(File.Exists(Path.Combine(folder, OwnFolder.MarkerName)));
    }

    [Fact]
    public void Links_are_removed_and_what_they_lead_to_stays()
    {
        var precious = Directory.CreateDirectory(Path.Combine(Root.Path, "precious")).FullName;
        File.WriteAllText(Path.Combine(precious, "file"), "as it was");
        var folder = Made();
        Directory.CreateSymbolicLink(Path.Combine(folder, "link"), precious);
        var link = Path.Combine(Root.Path, "to-ours");
        Directory.CreateSymbolicLink(link, folder);

        Assert.Throws<IOException>(() => OwnFolder.Delete(link));
        OwnFolder.Delete(folder);

        Assert.True(File.Exists(Path.Combine(precious, "file")));
        Assert.False(Directory.Exists(folder));
    }

    [Fact]
    public void Link_to_a_marker_is_none()
    {
        var folder = Directory.CreateDirectory(Path.Combine(Root.Path, "linked")).FullName;
        File.CreateSymbolicLink(Path.Combine(folder, OwnFolder.MarkerName), Path.Combine(Made(), OwnFolder.MarkerName));

        Assert.False(OwnFolder.IsOurs(folder));
        Assert.Throws<IOException>(() => OwnFolder.Delete(folder));
    }

    [Fact]
    public void Temporary_folder_is_marked()
    {
        var folder = OwnFolder.CreateTemporary("serdica-perf-tests-");

        Assert.True(OwnFolder.IsOurs(folder));
        OwnFolder.Delete(folder);
        Assert.False(Directory.Exists(folder));
    }

    private string Made()
    {
        var folder = Path.Combine(Root.Path, "made");
        OwnFolder.Create(folder);
        return folder;
    }
}
