using System.Globalization;
using Serdica.Perf.Results.Scrubbing;
using Serilog.Events;
using Serilog.Formatting;

namespace Serdica.Perf.Backends.Logging;

/// <summary>Whatever a part of the suite or a driver logs, no secret reaches the file. The log has few lines, so this costs nothing that counts.</summary>
internal sealed class ScrubbingFormatter(ITextFormatter inner) : ITextFormatter
{
    public void Format(LogEvent logEvent, TextWriter output)
    {
        using var line = new StringWriter(CultureInfo.InvariantCulture);
        inner.Format(logEvent, line);
        output.Write(SecretScrubber.Scrub(line.ToString()));
    }
}
