namespace Serdica.Perf.Measurement.Catalog;

/// <summary>
/// 64 KB of text that a database cannot compress and that JSON does not escape, different for each operation and round: one
/// random text, rotated by an amount that depends on both.
/// </summary>
internal static class LargeContent
{
    public const int Bytes = 64 * 1024;

    private static readonly string Text = new(
        new Random(20_260_317).GetItems<char>("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", Bytes)
    );

    public static string Of(int operation, int round)
    {
        // Both factors are coprime to the length, so that neighbours differ from the first character on.
        var turn = (int)(((operation * 7_919L) + (round * 104_729L)) % Bytes);
        return string.Concat(Text.AsSpan(turn), Text.AsSpan(0, turn));
    }
}
