namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// A statement whose parameters are arrays, one for each column: a batch of any size is one statement with one
/// plan. It belongs to one session and is bound anew for each use; making parameters anew costs the driver more
/// than sending them.
/// </summary>
/// <param name="bucketOf">
/// Where a row lies, when the schema is distributed: the statement is then executed once for each bucket. Otherwise null.
/// </param>
internal sealed class PostgreSqlStatement<TRow>(string sql, Func<TRow, short>? bucketOf = null)
{
    private readonly List<Func<NpgsqlBatchCommand, Action<List<TRow>>>> _columns = [];
    private readonly List<Bound> _commands = [];
    private int _used;

    /// <summary>Rows that the commands of the last use have inserted.</summary>
    public int RecordsAffected => _commands.Take(_used).Sum(static bound => bound.Command.RecordsAffected);

    public PostgreSqlStatement<TRow> Column<TValue>(NpgsqlDbType type, Func<TRow, TValue> value)
    {
        _columns.Add(command =>
        {
            var parameter = new NpgsqlParameter<TValue[]> { NpgsqlDbType = NpgsqlDbType.Array | type };
            command.Parameters.Add(parameter);
            return rows =>
            {
                var values = new TValue[rows.Count];
                for (var i = 0; i < values.Length; i++)
                    values[i] = value(rows[i]);
                parameter.TypedValue = values;
            };
        });
        return this;
    }

    /// <summary>Adds it to a batch: once, or once for each bucket of the rows.</summary>
    public void AddTo(NpgsqlBatchCommandCollection batch, List<TRow> rows)
    {
        _used = 0;
        if (bucketOf is null)
        {
            batch.Add(Next().Bind(rows));
            return;
        }

        foreach (var part in PartsOf(rows))
            batch.Add(Next().Bind(part, bucketOf(part[0])));
    }

    /// <summary>Binds rows that lie in one bucket, where there are buckets.</summary>
    public NpgsqlBatchCommand Bind(List<TRow> rows)
    {
        _used = 0;
        return bucketOf is null ? Next().Bind(rows) : Next().Bind(rows, bucketOf(rows[0]));
    }

    /// <summary>The rows by bucket, in their order; all of them in one part where there are no buckets.</summary>
    public IEnumerable<List<TRow>> PartsOf(List<TRow> rows) => bucketOf is null ? [rows] : Buckets.Part(rows, bucketOf);

    private Bound Next()
    {
        if (_used == _commands.Count)
            _commands.Add(new Bound(sql, _columns, hasBucket: bucketOf is not null));
        return _commands[_used++];
    }

    private sealed class Bound
    {
        private readonly Action<List<TRow>>[] _bindings;
        private readonly NpgsqlParameter<short>? _bucket;

        public Bound(string sql, List<Func<NpgsqlBatchCommand, Action<List<TRow>>>> columns, bool hasBucket)
        {
            Command = new(sql);
            _bindings = [.. columns.Select(column => column(Command))];
            if (hasBucket)
                Command.Parameters.Add(_bucket = new() { NpgsqlDbType = NpgsqlDbType.Smallint });
        }

        public NpgsqlBatchCommand Command { get; }

        public NpgsqlBatchCommand Bind(List<TRow> rows, short bucket = 0)
        {
            foreach (var bind in _bindings)
                bind(rows);
            if (_bucket is not null)
                _bucket.TypedValue = bucket;
            return Command;
        }
    }
}
