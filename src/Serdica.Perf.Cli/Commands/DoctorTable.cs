namespace Serdica.Perf.Cli.Commands;

/// <summary>The tables of the doctor: a title, and findings by name.</summary>
internal static class DoctorTable
{
    public static Table Section(string title) =>
        new Table()
            .Title($"[bold]{Markup.Escape(title)}[/]")
            .Border(TableBorder.None)
            .HideHeaders()
            .AddColumn(new TableColumn("What").NoWrap())
            .AddColumn("Finding");

    public static void Row(Table table, string what, string finding) => table.AddRow(Markup.Escape(what), Markup.Escape(finding));
}
