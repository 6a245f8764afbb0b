using Serilog.Events;
using Serilog.Parsing;

namespace Serdica.Perf.Backends.Logging;

/// <summary>An event without secrets in its values and its sentence, before either is rendered and quoted.</summary>
internal static class ScrubbedEvent
{
    public static LogEvent Of(LogEvent logEvent) =>
        new(
            logEvent.Timestamp,
            logEvent.Level,
            logEvent.Exception,
            Scrub(logEvent.MessageTemplate),
            logEvent.Properties.Select(property => new LogEventProperty(property.Key, Scrub(property.Key, property.Value)))
        );

    private static MessageTemplate Scrub(MessageTemplate template)
    {
        var text = SecretScrubber.Scrub(template.Text);
        return text == template.Text ? template : new MessageTemplate(text, [new TextToken(text)]);
    }

    private static LogEventPropertyValue Scrub(string name, LogEventPropertyValue value) =>
        value is ScalarValue { Value: string } && SecretScrubber.IsSecret(name) ? new ScalarValue("(secret)") : Scrub(value);

    private static LogEventPropertyValue Scrub(LogEventPropertyValue value) =>
        value switch
        {
            ScalarValue { Value: string text } => new ScalarValue(SecretScrubber.Scrub(text)),
            ScalarValue { Value: Uri address } => new ScalarValue(SecretScrubber.Scrub(address.ToString())),
            SequenceValue list => new SequenceValue(list.Elements.Select(Scrub)),
            StructureValue part => new StructureValue(
                part.Properties.Select(property => new LogEventProperty(property.Name, Scrub(property.Name, property.Value))),
                part.TypeTag
            ),
            DictionaryValue map => new DictionaryValue(
                map.Elements.Select(entry => KeyValuePair.Create(entry.Key, Scrub($"{entry.Key.Value}", entry.Value)))
            ),
            _ => value,
        };
}
