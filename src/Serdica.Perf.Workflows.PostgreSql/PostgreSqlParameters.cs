namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Typed positional parameters, in their order.</summary>
internal static class PostgreSqlParameters
{
    public static void AddValue<TValue>(this NpgsqlParameterCollection parameters, NpgsqlDbType type, TValue value) =>
        parameters.Add(new NpgsqlParameter<TValue> { TypedValue = value, NpgsqlDbType = type });

    /// <summary>The last parameter of statements that name a bucket.</summary>
    public static void AddBucket(this NpgsqlParameterCollection parameters, short? bucket)
    {
        if (bucket is { } number)
            parameters.AddValue(NpgsqlDbType.Smallint, number);
    }

    public static void AddNullable(this NpgsqlParameterCollection parameters, NpgsqlDbType type, object? value) =>
        parameters.Add(new NpgsqlParameter { Value = value ?? DBNull.Value, NpgsqlDbType = type });

    public static void AddArray<TValue>(this NpgsqlParameterCollection parameters, NpgsqlDbType type, TValue[] values) =>
        parameters.Add(new NpgsqlParameter<TValue[]> { TypedValue = values, NpgsqlDbType = NpgsqlDbType.Array | type });
}
