namespace Serdica.Perf.Workflows;

/// <summary>How state and payloads are written when a definition does not say otherwise.</summary>
public static class WorkflowJson
{
    /// <summary>System.Text.Json's web defaults: camelCase names, numbers may come as strings.</summary>
    public static JsonSerializerOptions Options { get; } = Create();

    private static JsonSerializerOptions Create()
    {
        var options = new JsonSerializerOptions(JsonSerializerDefaults.Web) { TypeInfoResolver = new DefaultJsonTypeInfoResolver() };
        options.MakeReadOnly();
        return options;
    }
}
