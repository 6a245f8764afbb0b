using System.Globalization;
using Serdica.Perf.Measurement.Baselines;
using Serilog.Core;
using Serilog.Events;

namespace Serdica.Perf.Cli.Output;

/// <summary>Lines for people, of events that have a source: those without are the run's own, which its progress shows.</summary>
internal sealed class ConsoleSink(TextWriter information, TextWriter warnings) : ILogEventSink
{
    public void Emit(LogEvent logEvent)
    {
        if (!logEvent.Properties.ContainsKey(Constants.SourceContextPropertyName))
            return;

        var text = SecretScrubber.Scrub(logEvent.RenderMessage(CultureInfo.InvariantCulture));
        var isWarning = logEvent.Level >= LogEventLevel.Warning;
        var writer = isWarning ? warnings : information;
        lock (writer)
            writer.WriteLine(isWarning ? $"{logEvent.Level}: {text}" : text);
    }
}
