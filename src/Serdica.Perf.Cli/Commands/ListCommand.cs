namespace Serdica.Perf.Cli.Commands;

/// <summary>`list`: the scenarios with their parameters.</summary>
internal sealed class ListCommand
{
    private const string Examples = """
        Examples:
          serdica-perf list
            A table of all scenarios.
          serdica-perf list --json
            The same as JSON.

        Exit codes:
          0  printed
        """;

    /// <summary>Columns of a terminal that the whole table needs.</summary>
    private const int WideEnough = 120;

    private readonly TextWriter _output;
    private readonly Option<bool> _json = new("--json") { Description = "Prints JSON." };

    public ListCommand(TextWriter output)
    {
        _output = output;
        Command = new DocumentedCommand("list", "Lists the scenarios with their parameters.", Examples) { _json };
        Command.SetAction(Run);
    }

    public Command Command { get; }

    private int Run(ParseResult parsed)
    {
        if (parsed.GetValue(_json))
            WriteJson();
        else
            WriteTable();
        return ExitCodes.Success;
    }

    private void WriteJson() =>
        _output.WriteLine(
            JsonSerializer.Serialize(
                ScenarioCatalog.All.Select(scenario => new
                {
                    scenario.Name,
                    scenario.Tier,
                    scenario.Family,
                    scenario.Description,
                    scenario.Parameters,
                    scenario.OnRequest,
                }),
                MeasurementJson.Artifacts
            )
        );

    private void WriteTable()
    {
        var console = Consoles.For(_output);
        console.Write(Scenarios(isWide: console.Profile.Width >= WideEnough));
        foreach (var scenario in ScenarioCatalog.All)
            _output.WriteLine($"{scenario.Name}: {scenario.Description}");
        _output.WriteLine();
        _output.WriteLine("On request: the scenario belongs to no tier; name it with --scenario.");
        _output.WriteLine($"Backends: {string.Join(", ", BackendNames.All)}. Tiers: {string.Join(", ", ScenarioNames.TierNames)}.");
    }

    /// <summary>Names are whole on a terminal of 80 columns, which has room for the tier beside them.</summary>
    internal static Table Scenarios(bool isWide)
    {
        var table = new Table().Border(TableBorder.Simple).AddColumn(new TableColumn("Scenario").NoWrap()).AddColumn("Tier");
        if (isWide)
            table.AddColumn(Numeric("Operations")).AddColumn(Numeric("Concurrency")).AddColumn(Numeric("Workers")).AddColumn("Load");
        foreach (var scenario in ScenarioCatalog.All)
        {
            var parameters = scenario.Parameters;
            string[] cells =
            [
                scenario.Name,
                Tiers.ShortName(scenario.Tier) + (scenario.OnRequest ? ", on request" : ""),
                parameters.DurationSeconds is { } seconds ? Quantity.Text(FromSeconds(seconds)) : Figure.Of(parameters.Operations),
                $"{parameters.Concurrency}",
                $"{parameters.Workers}",
                parameters.Load.ToString().ToLowerInvariant(),
            ];
            table.AddRow(cells[..table.Columns.Count]);
        }

        return table;
    }

    private static TableColumn Numeric(string header) => new TableColumn(header).RightAligned();
}
