namespace Serdica.Perf.Measurement.Tests.Baselines;

public sealed class WholeFileTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    [Fact]
    public void Of_several_new_files_none_is_left_when_one_cannot_be_written()
    {
        var (first, second) = (Path.Combine(_folder.Path, "first"), Path.Combine(_folder.Path, "second"));
        File.WriteAllText(second, "was there");

        Assert.Throws<IOException>(() => WholeFile.WriteNew([(first, Nothing), (second, Nothing)]));

        Assert.Equal([second], Directory.GetFiles(_folder.Path));
        Assert.Equal("was there", File.ReadAllText(second));
    }

    public void Dispose() => _folder.Dispose();

    private static void Nothing(Stream file) { }
}
