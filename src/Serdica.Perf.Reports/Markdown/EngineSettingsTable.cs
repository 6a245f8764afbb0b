namespace Serdica.Perf.Reports.Markdown;

/// <summary>The settings that trade one component against another, with their values in this run.</summary>
internal static class EngineSettingsTable
{
    public static void Write(TextWriter writer, IReadOnlyList<EngineSettingValue> settings)
    {
        var table = new MarkdownTable(textColumns: 5, "Setting", "Value", "Default", "What it is", "Effect of a larger value");
        foreach (var setting in settings)
            table.Row($"`{setting.Name}`", setting.Value, setting.Standard, setting.Meaning, setting.More);
        writer.Section(
            "Engine settings and their trade-offs",
            "Each setting shifts cost between callers, engine and database. `--engine NAME=VALUE` sets one, and `ab` measures its effect.",
            table
        );
    }
}
