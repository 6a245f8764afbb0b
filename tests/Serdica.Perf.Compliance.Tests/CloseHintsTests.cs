extern alias PostgreSql;

using ClosePayload = PostgreSql::Serdica.Perf.Workflows.PostgreSql.ClosePayload;
using PostgreSqlCloseHints = PostgreSql::Serdica.Perf.Workflows.PostgreSql.PostgreSqlCloseHints;

namespace Serdica.Perf.Compliance;

public sealed class CloseHintsTests
{
    /// <summary>The clients that waited may be gone, and the backend lives on.</summary>
    [Fact]
    public async Task Of_hints_that_nobody_waits_for_the_newest_are_kept()
    {
        await using var hints = new PostgreSqlCloseHints(static _ => throw new NotSupportedException(), "Host=nowhere", "closed");
        ClosedInstance[] closed =
        [
            .. Range(0, PostgreSqlCloseHints.MostKept + 1)
                .Select(static _ => new ClosedInstance(Guid.NewGuid(), InstanceStatus.Completed, null)),
        ];

        foreach (var payload in ClosePayload.Write(closed))
            hints.Hear(payload);

        Assert.Equal(closed[1..], await hints.WaitAsync(HangGuard.Limit, Token));
    }
}
