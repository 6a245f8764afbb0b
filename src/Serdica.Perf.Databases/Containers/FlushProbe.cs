namespace Serdica.Perf.Databases.Containers;

/// <summary>Looks at the folder of the data from within the container, where alone it can be seen on every engine.</summary>
internal static partial class FlushProbe
{
    // A block written and flushed in place, again and again, as a database does with its log. dd times the writing
    // alone, not its own start.
    private const string Writes = """
        cd "$1" && dd if=/dev/zero of=serdica-perf-flush bs=8192 count=1 conv=fsync 2>/dev/null
        i=0
        while [ $i -lt 200 ]; do
            dd if=/dev/zero of=serdica-perf-flush bs=8192 count=1 conv=notrunc oflag=dsync 2>&1 | tail -n 1
            i=$((i + 1))
        done
        rm -f serdica-perf-flush
        """;

    /// <summary>Times of 200 flushed writes of 8 KiB; empty where the image has no <c>dd</c> that reports them.</summary>
    public static async Task<IReadOnlyList<TimeSpan>> MeasureAsync(
        IDatabaseContainer container,
        string folder,
        CancellationToken cancellationToken
    ) => Times((await container.RunAsync(["sh", "-c", Writes, "sh", folder], cancellationToken)).Output);

    /// <summary>
    /// Name of the file system, for example <c>ext4</c>; <see langword="null"/> when the image has no <c>df</c> that
    /// reports it.
    /// </summary>
    public static async Task<string?> FileSystemAsync(IDatabaseContainer container, string folder, CancellationToken cancellationToken)
    {
        var (exitCode, output, _) = await container.RunAsync(["df", "--output=fstype", folder], cancellationToken);
        return exitCode == 0 && output.Trim().Split('\n') is [_, var type] ? type.Trim() : null;
    }

    /// <summary>From lines such as <c>8192 bytes (8.2 kB, 8.0 KiB) copied, 0.00052 s, 15.7 MB/s</c>.</summary>
    internal static IReadOnlyList<TimeSpan> Times(string output) =>
        [.. Seconds().Matches(output).Select(match => FromSeconds(double.Parse(match.Groups[1].ValueSpan, CultureInfo.InvariantCulture)))];

    [GeneratedRegex(@"copied, ([0-9.]+(?:e-[0-9]+)?) s")]
    private static partial Regex Seconds();
}
