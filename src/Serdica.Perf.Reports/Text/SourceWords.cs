namespace Serdica.Perf.Reports.Text;

internal static class SourceWords
{
    public static string Of(SourceDescription source) =>
        source.Commit is { } commit ? commit + Changes(source.Dirty) : $"unknown: {source.Reason}";

    private static string Changes(bool? dirty) =>
        dirty switch
        {
            true => ", with uncommitted changes",
            false => "",
            null => ", changes unknown",
        };
}
