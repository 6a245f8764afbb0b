namespace Serdica.Perf.Results.Machine;

/// <summary>
/// Bytes on the network interfaces of this machine, or of the container that the process runs in, since the interfaces came
/// up. The loopback interface is left out. Traffic of other processes is included, because Linux counts by interface.
/// </summary>
/// <param name="ReceivedBytes">Received on all interfaces.</param>
/// <param name="SentBytes">Sent on all interfaces.</param>
internal sealed record NetworkUsage(long ReceivedBytes, long SentBytes)
{
    private const string Loopback = "lo";

    /// <summary>The index, after the colon of a line, of the number of bytes sent.</summary>
    private const int SentColumn = 8;

    /// <returns>Null when the system does not report it.</returns>
    public static NetworkUsage? Read(string root)
    {
        if (SystemFile.Read(root, "proc/net/dev") is not { } text)
            return null;

        var interfaces = text.Split('\n')
            .Select(line => line.Split(':', 2))
            .Where(parts => parts.Length == 2 && parts[0].Trim() != Loopback)
            .Select(parts => parts[1].Split(' ', RemoveEmptyEntries))
            .Where(numbers => numbers.Length > SentColumn)
            .ToArray();
        return new(interfaces.Sum(numbers => Number(numbers[0])), interfaces.Sum(numbers => Number(numbers[SentColumn])));
    }

    private static long Number(string text) => long.TryParse(text, CultureInfo.InvariantCulture, out var number) ? number : 0;
}
