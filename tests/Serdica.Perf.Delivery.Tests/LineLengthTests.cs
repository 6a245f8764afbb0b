namespace Serdica.Perf.Delivery.Tests;

/// <summary>
/// No formatter enforces the line length that .editorconfig names: <c>dotnet format</c> does not break lines, and none breaks text.
/// </summary>
public sealed partial class LineLengthTests
{
    private static readonly string[] Places = ["docs", "eng", "src", "tests"];

    [Fact]
    public void No_line_of_code_is_longer_than_the_editor_settings_say()
    {
        var most = Most();

        var files = Places.SelectMany(place => Repository.FilesOf(place, [".cs", ".sql", ".ts"])).ToList();
        var found = files.SelectMany(file =>
            File.ReadLines(Repository.PathOf(file))
                .Select((line, index) => (line.Length, Number: index + 1))
                .Where(line => line.Length > most)
                .Select(line => $"{file}:{line.Number}: {line.Length} characters")
        );

        Assert.NotEmpty(files);
        Assert.Empty(found);
    }

    private static int Most()
    {
        var setting = Setting().Match(File.ReadAllText(Repository.PathOf(".editorconfig")));
        Assert.True(setting.Success, "No max_line_length in .editorconfig.");
        return int.Parse(setting.Groups["most"].Value, CultureInfo.InvariantCulture);
    }

    [GeneratedRegex(@"^max_line_length = (?<most>\d+)$", RegexOptions.Multiline)]
    private static partial Regex Setting();
}
