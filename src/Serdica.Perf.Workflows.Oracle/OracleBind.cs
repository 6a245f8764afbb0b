using System.Data;

namespace Serdica.Perf.Workflows.Oracle;

/// <summary>One bind of a statement. The order of the binds is the order in which they stand in the text.</summary>
/// <param name="Name">Without the colon.</param>
/// <param name="Type">A type that the driver turns into a .NET value on the way out.</param>
/// <param name="Direction">In or out, never both.</param>
/// <param name="Size">Bytes for RAW and characters for text on the way out; the driver fails without it.</param>
internal sealed record OracleBind(string Name, DbType Type, ParameterDirection Direction = ParameterDirection.Input, int Size = 0)
{
    /// <summary>What a RAW holds in PL/SQL.</summary>
    public const int MaxRaw = 32_767;

    public static OracleBind OutNumber(string name) => new(name, DbType.Int64, ParameterDirection.Output);

    public static OracleBind OutRaw(string name) => new(name, DbType.Binary, ParameterDirection.Output, MaxRaw);
}
