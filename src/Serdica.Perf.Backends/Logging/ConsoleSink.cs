using Serilog.Core;
using Serilog.Events;
using Serilog.Formatting.Display;

namespace Serdica.Perf.Backends.Logging;

/// <summary>Lines for people, of events that have a source: those without are the run's own, which its progress shows.</summary>
internal sealed class ConsoleSink(TextWriter information, TextWriter warnings) : ILogEventSink
{
    private static readonly MessageTemplateTextFormatter Message = new("{Message:lj}", CultureInfo.InvariantCulture);

    public void Emit(LogEvent logEvent)
    {
        if (!logEvent.Properties.ContainsKey(Constants.SourceContextPropertyName))
            return;

        using var message = new StringWriter(CultureInfo.InvariantCulture);
        Message.Format(ScrubbedEvent.Of(logEvent), message);
        var text = SecretScrubber.Scrub(message.ToString());
        var isWarning = logEvent.Level >= LogEventLevel.Warning;
        var writer = isWarning ? warnings : information;
        lock (writer)
            writer.WriteLine(isWarning ? $"{logEvent.Level}: {text}" : text);
    }
}
