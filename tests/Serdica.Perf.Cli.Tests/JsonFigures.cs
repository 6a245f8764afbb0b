namespace Serdica.Perf.Cli.Tests;

/// <summary>What is in the documents that commands write.</summary>
internal static class JsonFigures
{
    public static JsonElement.ArrayEnumerator Items(this JsonDocument document, string name) => document.RootElement.Items(name);

    public static JsonElement.ArrayEnumerator Items(this JsonElement element, string name) => element.GetProperty(name).EnumerateArray();

    public static string? Text(this JsonElement element, string name) => element.GetProperty(name).GetString();

    public static int Int32(this JsonElement element, string name) => element.GetProperty(name).GetInt32();

    public static long Int64(this JsonElement element, string name) => element.GetProperty(name).GetInt64();

    public static double Number(this JsonElement element, string name) => element.GetProperty(name).GetDouble();
}
