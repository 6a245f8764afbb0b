namespace Serdica.Perf.Tests;

/// <summary>What something writes, as text.</summary>
internal static class Written
{
    public static string By(Action<TextWriter> write)
    {
        using var writer = new StringWriter(CultureInfo.InvariantCulture);
        write(writer);
        return writer.ToString();
    }
}
