using System.Collections;
using System.Text.Encodings.Web;
using System.Text.Json.Serialization.Metadata;

namespace Serdica.Perf.Results;

/// <summary>
/// The JSON format of results: camelCase, enums as words, null for a missing figure. It uses reflection instead of the source
/// generator, because the generator sets an init-only property that is missing in the file to null and drops its default.
/// </summary>
public static class MeasurementJson
{
    /// <summary>Indented, for every artifact that people may open.</summary>
    public static JsonSerializerOptions Artifacts { get; } = Create(indented: true);

    /// <summary>On one line, for histograms.</summary>
    public static JsonSerializerOptions Compact { get; } = Create(indented: false);

    private static JsonSerializerOptions Create(bool indented)
    {
        var options = new JsonSerializerOptions
        {
            PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
            WriteIndented = indented,
            NewLine = "\n",
            Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase, allowIntegerValues: false) },
            RespectNullableAnnotations = true,
            AllowDuplicateProperties = false,
            TypeInfoResolver = new DefaultJsonTypeInfoResolver { Modifiers = { RefuseNullValues } },

            // The files are for people and programs and never part of a web page: a quotation mark in the command stays readable.
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        };
        options.MakeReadOnly();
        return options;
    }

    /// <summary>The serializer refuses null in a property only, and not in a list or as a value of a dictionary.</summary>
    private static void RefuseNullValues(JsonTypeInfo type)
    {
        foreach (var property in type.Properties)
        {
            if (
                property is not { Set: { } set, AttributeProvider: PropertyInfo member }
                || !typeof(IEnumerable).IsAssignableFrom(member.PropertyType)
                || new NullabilityInfoContext().Create(member).GenericTypeArguments
                    is not [.., { WriteState: NullabilityState.NotNull, Type.IsValueType: false }]
            )
                continue;
            property.Set = (owner, value) =>
            {
                if (value is IDictionary entries)
                {
                    foreach (DictionaryEntry entry in entries)
                    {
                        if (entry.Value is null)
                            throw new JsonException(JsonMistake.NullOf(entry.Key));
                    }
                }
                else if (value is IEnumerable elements && elements.Cast<object?>().Contains(null))
                    throw new JsonException(JsonMistake.NullElement);

                set(owner, value);
            };
        }
    }
}
