namespace Serdica.Perf.Delivery.Tests;

/// <summary>A pipeline's file: of Azure Pipelines, whose jobs lie in stages, or of GitHub Actions.</summary>
internal sealed class PipelineFile
{
    public const string Azure = "azure-pipelines.yml";
    public const string GitHub = ".github/workflows/nightly.yml";

    private PipelineFile(YamlMappingNode document) => Document = document;

    public YamlMappingNode Document { get; }

    public IReadOnlyList<PipelineJob> Jobs =>
        [
            .. Document
                .AllNodes.OfType<YamlMappingNode>()
                .Where(node => node.Children.ContainsKey("steps"))
                .SelectMany(job =>
                    Matrix(job)
                        .Select(entry => new PipelineJob(
                            entry,
                            [.. ((YamlSequenceNode)job["steps"]).OfType<YamlMappingNode>().SelectMany(Expand)]
                        ))
                ),
        ];

    public static PipelineFile Read(string file)
    {
        using var text = File.OpenText(Repository.PathOf(file));
        return new(Parse(text));
    }

    private static YamlMappingNode Parse(TextReader text)
    {
        var stream = new YamlStream();
        stream.Load(text);
        return (YamlMappingNode)stream.Documents.Single().RootNode;
    }

    /// <summary>The steps of the template that a step names, or the step itself.</summary>
    private static IEnumerable<YamlMappingNode> Expand(YamlMappingNode step)
    {
        if (PipelineJob.Value(step, "template") is not { } template)
            return [step];
        var given = step.Children.TryGetValue("parameters", out var parameters) ? (YamlMappingNode)parameters : new();
        var text = given
            .Children.Append(new("arguments", ""))
            .Aggregate(
                File.ReadAllText(Repository.PathOf(template)),
                (read, parameter) => read.Replace($"${{{{ parameters.{parameter.Key} }}}}", parameter.Value.ToString())
            );
        return ((YamlSequenceNode)Parse(new StringReader(text))["steps"]).Cast<YamlMappingNode>();
    }

    private static IEnumerable<IReadOnlyDictionary<string, string>> Matrix(YamlMappingNode job)
    {
        if (!job.Children.TryGetValue("strategy", out var strategy))
            return [new Dictionary<string, string>()];

        var matrix = (YamlMappingNode)strategy["matrix"];
        var entries = matrix.Children.TryGetValue("include", out var include)
            ? ((YamlSequenceNode)include).Children
            : matrix.Children.Values;
        return entries
            .Cast<YamlMappingNode>()
            .Select(entry => entry.Children.ToDictionary(variable => variable.Key.ToString(), variable => variable.Value.ToString()));
    }
}
