using Npgsql;
using NpgsqlTypes;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// A statement whose parameters are arrays, one for each column: a batch of any size is one statement with one
/// plan. It belongs to one session and is bound anew for each use; making parameters anew costs the driver more
/// than sending them.
/// </summary>
internal sealed class PostgreSqlStatement<TRow>(string sql)
{
    private readonly List<Action<List<TRow>>> _bindings = [];

    public NpgsqlBatchCommand Command { get; } = new(sql);

    public PostgreSqlStatement<TRow> Column<TValue>(NpgsqlDbType type, Func<TRow, TValue> value)
    {
        var parameter = new NpgsqlParameter<TValue[]> { NpgsqlDbType = NpgsqlDbType.Array | type };
        Command.Parameters.Add(parameter);
        _bindings.Add(rows =>
        {
            var values = new TValue[rows.Count];
            for (var i = 0; i < values.Length; i++)
                values[i] = value(rows[i]);
            parameter.TypedValue = values;
        });
        return this;
    }

    public NpgsqlBatchCommand Bind(List<TRow> rows)
    {
        foreach (var bind in _bindings)
            bind(rows);
        return Command;
    }
}
