namespace Serdica.Perf.Measurement.Tests.Baselines;

/// <summary>
/// The part of JSON Schema that the exporter emits. A keyword it does not know is an error, so that none is passed over.
/// </summary>
internal static class JsonSchemaValidator
{
    /// <summary>One line for every place that does not fit the schema of this name in <c>docs/schemas/</c>.</summary>
    public static IReadOnlyList<string> Validate(string name, JsonNode? value)
    {
        var errors = new List<string>();
        Validate(Resolve($"{name}.schema.json"), value, "$", errors);
        return errors;
    }

    private static void Validate(JsonNode schema, JsonNode? value, string path, List<string> errors)
    {
        if (schema is JsonValue)
        {
            if (!schema.GetValue<bool>())
                errors.Add($"{path} is not allowed");
            return;
        }

        foreach (var (keyword, rule) in schema.AsObject())
        {
            switch (keyword)
            {
                case "$schema" or "$comment" or "title" or "default":
                    break;
                case "pattern":
                    if (value is not null && !Regex.IsMatch(value.GetValue<string>(), rule!.GetValue<string>()))
                        errors.Add($"{path} is {value.ToJsonString()}, which does not match {rule!.ToJsonString()}");
                    break;
                case "$ref":
                    Validate(Resolve(rule!.GetValue<string>()), value, path, errors);
                    break;
                case "anyOf":
                    // A shared type, or null.
                    if (value is not null)
                        Validate(rule![0]!, value, path, errors);
                    break;
                case "type":
                    if (!Names(rule!).Any(type => IsOfType(value, type)))
                        errors.Add($"{path} is {value?.ToJsonString() ?? "null"}, not {rule!.ToJsonString()}");
                    break;
                case "enum":
                    if (!rule!.AsArray().Any(allowed => JsonNode.DeepEquals(allowed, value)))
                        errors.Add($"{path} is {value?.ToJsonString() ?? "null"}, not one of {rule.ToJsonString()}");
                    break;
                case "format":
                    if (
                        value is not null
                        && !(rule!.GetValue<string>() == "date-time" && DateTimeOffset.TryParse(value.GetValue<string>(), null, out _))
                    )
                        errors.Add($"{path} is {value.ToJsonString()}, not a {rule!.GetValue<string>()}");
                    break;
                case "required":
                    errors.AddRange(
                        from name in Names(rule!)
                        where value is JsonObject members && !members.ContainsKey(name)
                        select $"{path}.{name} is missing"
                    );
                    break;
                case "properties":
                    foreach (var (name, member) in value as JsonObject ?? [])
                    {
                        if (rule![name] is { } inner)
                            Validate(inner, member, $"{path}.{name}", errors);
                    }

                    break;
                case "additionalProperties":
                    foreach (var (name, member) in value as JsonObject ?? [])
                    {
                        if (schema["properties"]?[name] is null)
                            Validate(rule!, member, $"{path}.{name}", errors);
                    }

                    break;
                case "items":
                    foreach (var (index, item) in (value as JsonArray ?? []).Index())
                        Validate(rule!, item, $"{path}[{index}]", errors);
                    break;
                default:
                    throw new NotSupportedException($"The validator does not know the keyword '{keyword}' at {path}.");
            }
        }
    }

    private static bool IsOfType(JsonNode? value, string type) =>
        (value?.GetValueKind() ?? JsonValueKind.Null, type) switch
        {
            (JsonValueKind.Null, "null") => true,
            (JsonValueKind.String, "string") => true,
            (JsonValueKind.Number, "number") => true,
            (JsonValueKind.Number, "integer") => value!.ToJsonString().All(letter => char.IsAsciiDigit(letter) || letter == '-'),
            (JsonValueKind.True or JsonValueKind.False, "boolean") => true,
            (JsonValueKind.Array, "array") => true,
            (JsonValueKind.Object, "object") => true,
            _ => false,
        };

    private static IEnumerable<string> Names(JsonNode rule) =>
        rule is JsonArray names ? names.Select(name => name!.GetValue<string>()) : [rule.GetValue<string>()];

    /// <summary>A reference such as <c>shared.schema.json#/$defs/Spread</c>.</summary>
    private static JsonNode Resolve(string reference)
    {
        var place = reference.Split('#', '/');
        var document = JsonNode.Parse(File.ReadAllText(Path.Combine(RepositoryRoot.Folder, "docs", "schemas", place[0])))!;
        return place.Skip(2).Aggregate(document, (node, step) => node[step]!);
    }
}
