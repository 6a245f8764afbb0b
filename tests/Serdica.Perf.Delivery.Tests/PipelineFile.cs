using YamlDotNet.RepresentationModel;

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
                    Matrix(job).Select(entry => new PipelineJob(entry, [.. ((YamlSequenceNode)job["steps"]).OfType<YamlMappingNode>()]))
                ),
        ];

    public static PipelineFile Read(string file)
    {
        using var text = File.OpenText(Repository.PathOf(file));
        var stream = new YamlStream();
        stream.Load(text);
        return new((YamlMappingNode)stream.Documents.Single().RootNode);
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
