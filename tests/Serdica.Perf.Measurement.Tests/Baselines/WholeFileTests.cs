namespace Serdica.Perf.Measurement.Tests.Baselines;

public sealed class WholeFileTests : FolderTests
{
    [Fact]
    public void Of_several_new_files_none_is_left_when_one_cannot_be_written()
    {
        var (first, second) = (Root.Below("first"), Root.Below("second"));
        File.WriteAllText(second, "was there");

        Assert.Throws<IOException>(() => WholeFile.WriteNew([(first, Nothing), (second, Nothing)]));

        Assert.Equal([second], Directory.GetFiles(Root.Path));
        Assert.Equal("was there", File.ReadAllText(second));
    }

    private static void Nothing(Stream file) { }
}
