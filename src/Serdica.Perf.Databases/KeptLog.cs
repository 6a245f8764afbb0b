namespace Serdica.Perf.Databases;

/// <summary>What a server said that did not start.</summary>
internal static class KeptLog
{
    private const int LinesShown = 15;

    /// <summary>Keeps the output in a file, and makes the fault that quotes its end.</summary>
    public static DatabaseStartException Fault(string what, string output, string file)
    {
        File.WriteAllText(file, output + Environment.NewLine);
        var end = string.Join(Environment.NewLine, output.Split('\n').TakeLast(LinesShown).Select(line => "  " + line.TrimEnd('\r')));

        return new DatabaseStartException($"{what}; its log is kept in {file} and ends with:{Environment.NewLine}{end}");
    }
}
