using System.Globalization;

namespace Serdica.Perf.Results.Machine;

/// <summary>
/// What has gone through the interfaces of this machine, or of the container that the process runs in, since they came up. The loopback
/// is not in it, nor is what it belongs to known: Linux counts traffic by interface and not by process.
/// </summary>
/// <param name="ReceivedBytes">On all interfaces.</param>
/// <param name="SentBytes">The same.</param>
public sealed record NetworkUsage(long ReceivedBytes, long SentBytes)
{
    private const string Loopback = "lo";

    /// <summary>Which of the numbers behind the colon is that of the bytes that were sent.</summary>
    private const int SentColumn = 8;

    /// <param name="root">The root of the file system that holds <c>proc</c>.</param>
    /// <returns>Null when the system does not tell.</returns>
    public static NetworkUsage? Read(string root)
    {
        if (SystemFile.Read(root, "proc/net/dev") is not { } text)
            return null;

        var interfaces = text.Split('\n')
            .Select(line => line.Split(':', 2))
            .Where(parts => parts.Length == 2 && parts[0].Trim() != Loopback)
            .Select(parts => parts[1].Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Where(numbers => numbers.Length > SentColumn)
            .ToArray();
        return new(interfaces.Sum(numbers => Number(numbers[0])), interfaces.Sum(numbers => Number(numbers[SentColumn])));
    }

    private static long Number(string text) => long.TryParse(text, CultureInfo.InvariantCulture, out var number) ? number : 0;
}
