namespace Serdica.Perf.Databases.Tests;

public sealed class ClusterFolderTests : ScratchTests
{
    /// <summary>The password and the data of the server are in it.</summary>
    [Fact]
    public void Only_the_user_of_a_server_may_look_into_its_folder()
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("Windows has other access rights.");
            return;
        }

        var folder = ClusterFolder.Create(Root.Path);

        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute, File.GetUnixFileMode(folder.ServerFolder));
        Assert.Equal(
            UnixFileMode.None,
            File.GetUnixFileMode(folder.Path)
                & (UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.OtherRead | UnixFileMode.OtherWrite)
        );
    }
}
