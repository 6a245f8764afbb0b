namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>A value as the driver's own type.</summary>
internal readonly record struct StandInStruct(object Value);

internal sealed class StandInParameter : DbParameter
{
    private DbType _type;
    private bool _isOwnType;

    /// <summary>The driver's own type; whichever of the two is set last decides what comes out.</summary>
    public object? OracleDbType
    {
        get => null;
        set => _isOwnType = value is not null;
    }

    public override DbType DbType
    {
        get => _type;
        set => (_type, _isOwnType) = (value, false);
    }

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
        if (_isOwnType)
            Value = new StandInStruct(Value!);
    }
}
