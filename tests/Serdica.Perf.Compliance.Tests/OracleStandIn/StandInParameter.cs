using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;

namespace Serdica.Perf.Compliance.OracleStandIn;

internal sealed class StandInParameter : DbParameter
{
    public override DbType DbType { get; set; }

    public override ParameterDirection Direction { get; set; }

    public override bool IsNullable { get; set; }

    [AllowNull]
    public override string ParameterName { get; set; } = "";

    public override int Size { get; set; }

    [AllowNull]
    public override string SourceColumn { get; set; } = "";

    public override bool SourceColumnNullMapping { get; set; }

    public override object? Value { get; set; }

    public override void ResetDbType() => DbType = DbType.String;

    /// <summary>Takes what the server sent, as the driver does: no bytes are NULL, and a value longer than the size fails.</summary>
    public void Receive(object value)
    {
        if (value is byte[] bytes && bytes.Length > Size)
            throw new StandInException(
                6502,
                $"PL/SQL: numeric or value error: {ParameterName} has {bytes.Length} bytes and a size of {Size}"
            );
        Value =
            value is byte[] { Length: 0 } ? DBNull.Value
            : value is long number && DbType != DbType.Int64 ? (decimal)number
            : value;
        if (value is byte[] some)
            Size = some.Length;
    }
}
