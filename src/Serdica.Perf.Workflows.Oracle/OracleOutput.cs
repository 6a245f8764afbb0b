namespace Serdica.Perf.Workflows.Oracle;

/// <summary>The values of OUT binds, in their order. A driver may hand a NUMBER as any numeric type.</summary>
internal readonly struct OracleOutput(object?[] values)
{
    public long Number(int place) => Convert.ToInt64(values[place], CultureInfo.InvariantCulture);

    /// <summary>Empty when it was NULL, which is the same to Oracle.</summary>
    /// <exception cref="InvalidOperationException">The driver hands a type of its own.</exception>
    public byte[] Bytes(int place) =>
        values[place] switch
        {
            byte[] bytes => bytes,
            null or DBNull => [],
            var other => throw new InvalidOperationException(
                $"The Oracle driver hands a RAW as {other.GetType().FullName}, and not as byte[]: see docs/oracle-first-run.md."
            ),
        };
}
