using System.Numerics;

namespace Serdica.Perf.Measurement.Queues;

/// <summary>What a reader has read in one commit, also as a line from the process of the reader to the one that measures.</summary>
/// <param name="Copy">Whose copies they are.</param>
/// <param name="At">
/// Reading of the stopwatch after the commit. Its clock is the machine's on Linux, macOS and Windows (<c>CLOCK_MONOTONIC</c>,
/// <c>mach_absolute_time</c>, the performance counter), so readings of several processes can be compared.
/// </param>
/// <param name="Altered">Messages whose payload is not as it was sent.</param>
/// <param name="Messages">The numbers of the others.</param>
internal sealed record QueueRead(int Copy, long At, TimeSpan Commit, int Altered, IReadOnlyList<int> Messages)
{
    private const string Start = "read ";

    /// <summary>Half a line, which is the last of a process that was killed, has none.</summary>
    private const char End = '.';

    /// <summary>Each number as the difference to the one before, which is small.</summary>
    public string Line
    {
        get
        {
            var line = new StringBuilder(Start).Append(CultureInfo.InvariantCulture, $"{Copy} {At} {Commit.Ticks} {Altered}");
            var last = 0;
            foreach (var message in Messages)
            {
                line.Append(CultureInfo.InvariantCulture, $" {unchecked(message - last)}");
                last = message;
            }

            return line.Append(End).ToString();
        }
    }

    /// <summary>To be called after each commit.</summary>
    public static QueueRead Of(int copy, HandledMessages handled, int payloadBytes)
    {
        var at = Stopwatch.GetTimestamp();
        var received = handled.Received.Messages;
        var messages = new List<int>(received.Count);
        foreach (var message in received)
        {
            if (MessagePayload.OperationOf(message.Payload, payloadBytes) is { } number)
                messages.Add(number);
        }

        return new(copy, at, handled.Commit, received.Count - messages.Count, messages);
    }

    /// <returns>Null when the line is no report, or half of one.</returns>
    /// <exception cref="FormatException">It is a report that no reader of this test has made.</exception>
    public static QueueRead? Parse(string line, int copies)
    {
        if (!line.StartsWith(Start, StringComparison.Ordinal) || line[^1] != End)
            return null;

        var parts = line[Start.Length..^1].Split(' ');
        var messages = new List<int>(parts.Length);
        var last = 0;
        foreach (var part in parts.Skip(4))
            messages.Add(last = unchecked(last + Number<int>(part)));
        return parts.Length >= 4 && Number<int>(parts[0]) is var copy && copy >= 0 && copy < copies
            ? new(copy, Number<long>(parts[1]), TimeSpan.FromTicks(Number<long>(parts[2])), Number<int>(parts[3]), messages)
            : throw Unreadable();

        T Number<T>(string part)
            where T : INumber<T> =>
            T.TryParse(part, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number) ? number : throw Unreadable();

        FormatException Unreadable() => new($"'{line}' is no report of messages that were read.");
    }
}
