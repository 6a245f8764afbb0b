namespace Serdica.Perf.Cli.Commands;

/// <summary>What `doctor` reports of an application's store: which definitions must stay deployed, and what does not go on.</summary>
internal static class DoctorStore
{
    public static async Task WriteAsync(IAnsiConsole console, string store, IWorkflowBackend backend, CancellationToken cancellationToken)
    {
        var census = await backend.TakeCensusAsync(cancellationToken);
        var table = DoctorTable.Section($"Store '{store}' on {backend.Name}");
        DoctorTable.Row(
            table,
            "Instances",
            census.Total == 0
                ? "none: check --store"
                : $"{census.Total}, {census.Open} of them open. The definitions of open instances must stay deployed:"
        );
        foreach (
            var (definition, open) in census
                .OpenByDefinition.OrderBy(row => row.Key.Name, StringComparer.Ordinal)
                .ThenBy(row => row.Key.Version)
        )
            await WriteDefinitionAsync(
                table,
                backend,
                definition,
                open,
                census.ParkedByDefinition.GetValueOrDefault(definition),
                cancellationToken
            );
        DoctorTable.Row(table, "Stuck instances", census.Stuck.ToString(CultureInfo.InvariantCulture));
        DoctorTable.Row(table, "Signals", $"{census.SignalsDue} due, {census.SignalsLater} later");
        DoctorTable.Row(
            table,
            "Dead letters",
            census.DeadLetters == 0
                ? "none"
                : $"{census.DeadLetters}: serdica-perf dead-letters list --backend {backend.Name} --store {store}"
        );
        if (census.DeadMessages > 0)
            DoctorTable.Row(table, "Messages put aside", $"{census.DeadMessages} by the database, which no longer delivers them");
        console.Write(table);
    }

    private static async Task WriteDefinitionAsync(
        Table table,
        IWorkflowBackend backend,
        DefinitionVersion definition,
        long open,
        ParkedCount? parked,
        CancellationToken cancellationToken
    )
    {
        if (parked is null)
        {
            DoctorTable.Row(table, $"  {definition}", $"{open} open");
            return;
        }

        var example = await backend.FindAsync(parked.Example, cancellationToken);
        DoctorTable.Row(
            table,
            $"  {definition}",
            $"{open} open, {parked.Instances} of them parked, for instance {parked.Example}: {example?.Error}"
        );
    }
}
