using System.Globalization;

namespace Serdica.Perf.Workflows.Oracle;

/// <summary>The values of OUT binds, in their order. A driver may hand a NUMBER as any numeric type.</summary>
internal readonly struct OracleOutput(object?[] values)
{
    public long Number(int place) => Convert.ToInt64(values[place], CultureInfo.InvariantCulture);

    /// <summary>Empty when it was NULL, which is the same to Oracle.</summary>
    public byte[] Bytes(int place) => values[place] as byte[] ?? [];
}
