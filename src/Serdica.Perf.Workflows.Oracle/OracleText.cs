namespace Serdica.Perf.Workflows.Oracle;

/// <summary>Ids and keys as the database keeps them: RAW, compared byte by byte, in documents as hexadecimal.</summary>
internal static class OracleText
{
    /// <summary>In the order of the digits, so that ids sort in the database as they do here.</summary>
    public static byte[] Raw(Guid id) => id.ToByteArray(bigEndian: true);

    public static Guid Id(byte[] raw) => new(raw, bigEndian: true);

    public static Guid Id(string hex) => Id(Convert.FromHexString(hex));

    public static byte[] Raw(string key) => Encoding.UTF8.GetBytes(key);

    public static string Key(byte[] raw) => Encoding.UTF8.GetString(raw);

    public static string Hex(Guid id) => Convert.ToHexString(Raw(id));

    public static string Hex(string key) => Convert.ToHexString(Raw(key));
}
