using System.Data;
using Serdica.Perf.Workflows.PostgreSql;

namespace Serdica.Perf.Benchmarks;

/// <summary>What does it cost to map the rows of a claim, a signal each, to instances with signals?</summary>
/// <remarks>The rows come from a table in memory: the driver's own decoding is not in the figure, this reader's is.</remarks>
public class ClaimMappingBenchmarks
{
    private const int Signals = 64;

    private readonly DataTable _rows = new();

    [GlobalSetup]
    public void Setup()
    {
        Type[] types =
        [
            typeof(DateTime),
            typeof(Guid),
            typeof(Guid),
            typeof(DateTime),
            typeof(int),
            typeof(short),
            typeof(string),
            typeof(byte[]),
            typeof(Guid),
            typeof(long),
            typeof(DateTime),
            typeof(int),
            typeof(short),
            typeof(short),
            typeof(string),
            typeof(string),
            typeof(string),
            typeof(byte[]),
            typeof(byte[]),
            typeof(string),
            typeof(string),
        ];
        foreach (var type in types)
        {
            var column = _rows.Columns.Add(null, type);
            if (type == typeof(DateTime))
                column.DateTimeMode = DataSetDateTime.Utc;
        }

        var now = new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc);
        for (var i = 0; i < Signals; i++)
        {
            _rows.Rows.Add(
                now,
                Guid.CreateVersion7(),
                Guid.CreateVersion7(),
                now,
                0,
                (short)0,
                "go",
                new byte[256],
                DBNull.Value,
                0L,
                now,
                1,
                (short)1,
                (short)1,
                "roundtrip",
                "go",
                DBNull.Value,
                new byte[32],
                DBNull.Value,
                DBNull.Value,
                "(0,1)"
            );
        }
    }

    [Benchmark(OperationsPerInvoke = Signals)]
    public async Task<int> Map()
    {
        using var reader = _rows.CreateDataReader();
        return (await ClaimedRows.ReadAsync(reader, CancellationToken.None)).Batch.Instances.Count;
    }
}
