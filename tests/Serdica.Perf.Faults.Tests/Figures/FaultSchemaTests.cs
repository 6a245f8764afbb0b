using Serdica.Perf.Measurement.Tests;
using Serdica.Perf.Reports;

namespace Serdica.Perf.Faults.Tests.Figures;

public sealed class FaultSchemaTests
{
    [Fact]
    public void The_schema_of_runs_under_faults_in_docs_is_made_from_the_types() =>
        Golden.Matches("docs/schemas/faults.schema.json", SchemaDocuments.Of(typeof(FaultResult), "Serdica.Perf run under faults"));
}
