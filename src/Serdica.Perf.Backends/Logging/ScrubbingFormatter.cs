using System.Text.Json.Nodes;
using Serdica.Perf.Results;
using Serilog.Events;
using Serilog.Formatting;

namespace Serdica.Perf.Backends.Logging;

/// <summary>
/// Whatever a part of the suite or a driver logs, no secret reaches the file. The log has few lines, so this costs nothing that counts.
/// </summary>
/// <remarks>
/// Each text of the line is scrubbed as it was before it became JSON: escaped quotation marks would hide where a secret ends.
/// </remarks>
internal sealed class ScrubbingFormatter(ITextFormatter inner) : ITextFormatter
{
    public void Format(LogEvent logEvent, TextWriter output)
    {
        using var line = new StringWriter(CultureInfo.InvariantCulture);
        inner.Format(ScrubbedEvent.Of(logEvent), line);
        output.WriteLine(Scrub(JsonNode.Parse(line.ToString()))!.ToJsonString(MeasurementJson.Compact));
    }

    private static JsonNode? Scrub(JsonNode? node) =>
        node switch
        {
            JsonObject part => new JsonObject(part.Select(member => KeyValuePair.Create(member.Key, Scrub(member.Key, member.Value)))),
            JsonArray list => new JsonArray([.. list.Select(Scrub)]),
            JsonValue value when value.GetValueKind() == JsonValueKind.String => SecretScrubber.Scrub(value.GetValue<string>()),
            _ => node?.DeepClone(),
        };

    private static JsonNode? Scrub(string name, JsonNode? node) =>
        node?.GetValueKind() == JsonValueKind.String && SecretScrubber.IsSecret(name) ? "(secret)" : Scrub(node);
}
