using NpgsqlTypes;

namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>
/// Executes a call of the package by a function that gives its OUT parameters out as columns, and every other statement by its
/// script. Binds by position, as the driver does by default: the names of parameters decide nothing.
/// </summary>
internal sealed class StandInCommand(StandInConnection connection) : DbCommand
{
    private readonly StandInParameters _parameters = new();

    /// <summary>By the name that the driver has for it, and read by no other.</summary>
    public int InitialLOBFetchSize { get; set; }

    [AllowNull]
    public override string CommandText { get; set; } = "";

    public override int CommandTimeout { get; set; }

    public override CommandType CommandType { get; set; } = CommandType.Text;

    public override bool DesignTimeVisible { get; set; }

    public override UpdateRowSource UpdatedRowSource { get; set; }

    [AllowNull]
    protected override DbConnection DbConnection
    {
        get => connection;
        set => throw new NotSupportedException();
    }

    protected override DbParameterCollection DbParameterCollection => _parameters;

    protected override DbTransaction? DbTransaction { get; set; }

    private IReadOnlyList<object?> Values => [.. In.Select(parameter => parameter.Value)];

    private IEnumerable<StandInParameter> In =>
        _parameters.Cast<StandInParameter>().Where(parameter => parameter.Direction == ParameterDirection.Input);

    private List<StandInParameter> Out =>
        [.. _parameters.Cast<StandInParameter>().Where(parameter => parameter.Direction == ParameterDirection.Output)];

    public override void Cancel() => throw new NotSupportedException();

    public override void Prepare() => throw new NotSupportedException();

    public override object? ExecuteScalar() => throw new NotSupportedException();

    public override int ExecuteNonQuery() => throw new NotSupportedException();

    public override async Task<int> ExecuteNonQueryAsync(CancellationToken cancellationToken)
    {
        connection.Factory.CountRoundTrip();
        try
        {
            var call = StandInScripts.CallOf(CommandText);
            if (Out.Find(parameter => parameter is { DbType: DbType.Binary or DbType.String, Size: <= 0 }) is { } unsized)
                throw new StandInException(6502, $"PL/SQL: numeric or value error: {unsized.ParameterName} has no size");
            await BeforeAsync(call ?? Script);
            if (call is null)
                await ExecuteScriptAsync(Script, cancellationToken);
            else if (connection.Factory.Answer is { } answer)
                Receive(answer(call, Values));
            else
            {
                await using var command = NewCommand(
                    StandInScripts.Call(connection.Factory.Prefix, call, [.. _parameters.Cast<StandInParameter>()])
                );
                await using var reader = await command.ExecuteReaderAsync(cancellationToken);
                await reader.ReadAsync(cancellationToken);
                Receive([.. Range(0, reader.FieldCount).Select(reader.GetValue)]);
            }

            // As Oracle's driver does.
            if (connection.Transaction is null)
                connection.Factory.CountCommit();
            return -1;
        }
        catch (Exception e) when (e is NpgsqlException or OperationCanceledException)
        {
            throw StandInException.From(e);
        }
    }

    protected override async Task<DbDataReader> ExecuteDbDataReaderAsync(CommandBehavior behavior, CancellationToken cancellationToken)
    {
        connection.Factory.CountRoundTrip();

        // A locator, which the content of the row is then asked for by.
        if (InitialLOBFetchSize != -1)
            connection.Factory.CountRoundTrip();
        try
        {
            var script = Script;
            await BeforeAsync(script);
            var rows = connection.Factory.Rows?.Invoke(script)
                ?? StandInScripts.View(script, connection.Factory.HasViews, In.FirstOrDefault()?.Value);
            if (rows is not null)
                return Table(rows);
            return await NewCommand(StandInScripts.Statement(script, connection.Factory.Translate(script)))
                .ExecuteReaderAsync(behavior, cancellationToken);
        }
        catch (Exception e) when (e is NpgsqlException or OperationCanceledException)
        {
            throw StandInException.From(e);
        }
    }

    protected override DbDataReader ExecuteDbDataReader(CommandBehavior behavior) => throw new NotSupportedException();

    private static DataTableReader Table(object?[][] rows)
    {
        using var table = new DataTable();
        foreach (var value in rows.FirstOrDefault() ?? [])
            table.Columns.Add().DataType = value?.GetType() ?? typeof(object);
        foreach (var row in rows)
            table.Rows.Add(row);
        return table.CreateDataReader();
    }

    private void Receive(object[] values)
    {
        foreach (var (parameter, value) in Out.Zip(values))
            parameter.Receive(value);
    }

    private async Task ExecuteScriptAsync(string script, CancellationToken cancellationToken)
    {
        if (connection.Factory.Rows is not null)
            return;
        var text = connection.Factory.Translate(script);
        if (In.Any())
        {
            await using var statement = NewCommand(StandInScripts.Statement(script, text));
            await statement.ExecuteNonQueryAsync(cancellationToken);
            return;
        }

        var calls = script == "package-body" ? StandInScripts.Calls(connection.Factory.Scripts, connection.Factory.Prefix) : [];
        foreach (var part in calls.Prepend(text))
        {
            await using var run = new NpgsqlCommand("select run($1)", connection.Inner) { Parameters = { new() { Value = part } } };
            await run.ExecuteNonQueryAsync(cancellationToken);
        }
    }

    protected override DbParameter CreateDbParameter() => new StandInParameter();

    private string Script =>
        connection.Factory.ScriptOf(CommandText)
        ?? throw new NotSupportedException($"The stand-in knows no statement such as this:\n{CommandText}");

    private Task BeforeAsync(string name) =>
        connection.IsDead
            ? throw new StandInException(3113, "end-of-file on communication channel")
            : connection.Factory.Before?.Invoke(name, Values) ?? Task.CompletedTask;

    private NpgsqlCommand NewCommand(string text)
    {
        var command = new NpgsqlCommand(text, connection.Inner);
        foreach (var parameter in In)
        {
            command.Parameters.Add(
                new NpgsqlParameter
                {
                    NpgsqlDbType = parameter.DbType switch
                    {
                        DbType.Binary => NpgsqlDbType.Bytea,
                        DbType.Int64 => NpgsqlDbType.Bigint,
                        DbType.String => NpgsqlDbType.Text,
                        var other => throw new NotSupportedException($"No bind is of type {other}."),
                    },

                    // No bytes at all are NULL to Oracle.
                    Value = parameter.Value switch
                    {
                        byte[] { Length: 0 } or null => DBNull.Value,
                        int number => (long)number,
                        var value => value,
                    },
                }
            );
        }

        return command;
    }
}
