using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using System.Text.RegularExpressions;
using Npgsql;
using NpgsqlTypes;

namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>
/// Executes a call of the package as a call of the function of the same name, and every other statement by its script.
/// Binds by position, as the driver does by default: the names of parameters decide nothing.
/// </summary>
internal sealed partial class StandInCommand(StandInConnection connection) : DbCommand
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
            var call = Call().Match(CommandText);
            await BeforeAsync(call.Success ? call.Groups[1].Value : Script);
            if (!call.Success)
            {
                await using var script = Translate();
                return await script.ExecuteNonQueryAsync(cancellationToken);
            }

            await using var command = NewCommand($"select * from {connection.Factory.Schema}.{call.Groups[1].Value}({Places()})");
            await using var reader = await command.ExecuteReaderAsync(cancellationToken);
            await reader.ReadAsync(cancellationToken);
            var results = Out;
            for (var i = 0; i < results.Count; i++)
                results[i].Receive(reader.GetValue(i));
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
            await BeforeAsync(Script);
            return await Translate().ExecuteReaderAsync(behavior, cancellationToken);
        }
        catch (Exception e) when (e is NpgsqlException or OperationCanceledException)
        {
            throw StandInException.From(e);
        }
    }

    protected override DbDataReader ExecuteDbDataReader(CommandBehavior behavior) => throw new NotSupportedException();

    protected override DbParameter CreateDbParameter() => new StandInParameter();

    private string Script =>
        connection.Factory.ScriptOf(CommandText)
        ?? throw new NotSupportedException($"The stand-in knows no statement such as this:\n{CommandText}");

    private Task BeforeAsync(string name) =>
        connection.IsDead
            ? throw new StandInException(3113, "end-of-file on communication channel")
            : connection.Factory.Before?.Invoke(name, [.. In.Select(parameter => parameter.Value)]) ?? Task.CompletedTask;

    private NpgsqlCommand Translate() =>
        NewCommand(StandInScripts.Translate(Script, connection.Factory.Schema, connection.Factory.Views));

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

    private string Places() => string.Join(", ", Enumerable.Range(1, In.Count()).Select(place => $"${place}"));

    [GeneratedRegex(@"^BEGIN\s+\w+\.(\w+)\s*(\([^)]*\))?;\s*END;$")]
    private static partial Regex Call();
}
