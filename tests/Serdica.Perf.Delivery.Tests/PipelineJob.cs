namespace Serdica.Perf.Delivery.Tests;

/// <summary>One job of a pipeline, as often as its matrix has entries.</summary>
/// <param name="Steps">As written: variables of the matrix stand as <c>$(name)</c> or <c>${{ matrix.name }}</c>.</param>
internal sealed record PipelineJob(IReadOnlyDictionary<string, string> Matrix, IReadOnlyList<YamlMappingNode> Steps)
{
    /// <summary>The command lines of all steps, with the variables of the matrix put in.</summary>
    public IEnumerable<string> Commands =>
        Steps
            .Select(step => Value(step, "script") ?? Value(step, "run"))
            .OfType<string>()
            .SelectMany(script => Expand(script).Split('\n', RemoveEmptyEntries | TrimEntries));

    /// <summary>The environment variables that steps set, with the values as written.</summary>
    public IEnumerable<KeyValuePair<string, string>> Variables =>
        Steps
            .Where(step => step.Children.ContainsKey("env"))
            .SelectMany(step => ((YamlMappingNode)step["env"]).Children)
            .Select(entry => KeyValuePair.Create(entry.Key.ToString(), entry.Value.ToString()));

    public static string? Value(YamlMappingNode node, string key) =>
        node.Children.TryGetValue(key, out var value) ? value.ToString() : null;

    private string Expand(string text) =>
        Matrix.Aggregate(text, (expanded, variable) =>
            expanded
                .Replace($"$({variable.Key})", variable.Value)
                .Replace($"${{{{ matrix.{variable.Key} }}}}", variable.Value)
        );
}
