using Serdica.Perf.Analysis.Reference;

namespace Serdica.Perf.Reports.Summary;

/// <summary>What two backends must share before they are compared, and whether this run kept it.</summary>
internal static class ConstantsSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var reference = ReferenceBaseline.OracleAq;
        var checks = ConstantCheck.Of(view.Scenarios, reference);
        var table = new MarkdownTable(textColumns: 1, "Scenario", "Ops", "Conc", "Workers", "Checks held", "Definition", "Kept")
        {
            EndsWithText = true,
        };
        foreach (var check in checks.Where(check => check.Reference is not null))
        {
            var (parameters, verification) = (check.Scenario.Parameters, check.Scenario.Verification);
            table.Row(
                check.Scenario.Name,
                Figure.Of(parameters.Operations),
                Figure.Of(parameters.Concurrency),
                Figure.Of(parameters.Workers),
                $"{Figure.Of(verification.Count(assertion => assertion.Passed))} of {Figure.Of(verification.Count)}",
                check.Scenario.DefinitionHash ?? Figure.None,
                check.IsKept ? "yes" : $"no: {string.Join(", ", check.Differences)}"
            );
        }

        writer.Section("What must stay constant", Sentence(reference, checks), table);
    }

    private static string Sentence(ReferenceBaseline reference, IReadOnlyList<ConstantCheck> checks)
    {
        var names = checks.Where(check => check.Reference is not null).Select(check => check.Scenario.Scenario).Distinct().Count();
        var further = checks.Where(check => check.Reference is null).Select(check => check.Scenario.Scenario).Distinct().Count();
        return $"Names, operations, concurrency, workers, definitions and assertions, checked against the reference. {Figure.Of(names)} "
            + $"of its {Figure.Of(reference.Scenarios.Count)} scenarios {(names == 1 ? "was" : "were")} run"
            + (further > 0 ? $", and {Figure.Of(further)} that the reference does not have" : "")
            + ". The definition is a hash over the workflows: runs with different hashes are not comparable. Where the reference gives "
            + "no workers, 8 are fixed for all backends.";
    }
}
