namespace Serdica.Perf.Results;

/// <summary>Writes a figure that is not finite, such as the unknown end of an interval, as null: JSON has no word for it.</summary>
internal sealed class FiniteOrNull : JsonConverter<double>
{
    public override double Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => reader.GetDouble();

    public override void Write(Utf8JsonWriter writer, double value, JsonSerializerOptions options)
    {
        if (double.IsFinite(value))
            writer.WriteNumberValue(value);
        else
            writer.WriteNullValue();
    }
}
