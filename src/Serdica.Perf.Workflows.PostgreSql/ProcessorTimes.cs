namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Processor time of single threads and processes, which only Linux tells.</summary>
internal static class ProcessorTimes
{
    /// <returns><see langword="null"/> where the system does not report it.</returns>
    public static TimeSpan? OfThisThread() => Read("thread-self");

    /// <summary>Processor time of the server's process that serves a session.</summary>
    /// <param name="server">The server's first process; <see langword="null"/> when it is not on this machine.</param>
    /// <returns><see langword="null"/> when that is no process of that server.</returns>
    public static TimeSpan? OfSession(int? server, int session)
    {
        if (server is not { } parent || session == 0)
            return null;

        // The name of the program is in parentheses and may hold blanks; then come the state and the parent.
        var stat = Text($"{session}/stat");
        var fields = stat?[(stat.LastIndexOf(')') + 1)..].Split(' ', RemoveEmptyEntries);
        return fields is [_, var its, ..] && its == parent.ToString(CultureInfo.InvariantCulture) ? Read($"{session}") : null;
    }

    /// <summary>The first number of the file is nanoseconds on a processor.</summary>
    private static TimeSpan? Read(string process) =>
        Text($"{process}/schedstat")?.Split(' ') is [var text, ..] && long.TryParse(text, CultureInfo.InvariantCulture, out var nanoseconds)
            ? FromTicks(nanoseconds / 100)
            : null;

    private static string? Text(string path)
    {
        try
        {
            return File.ReadAllText($"/proc/{path}");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
