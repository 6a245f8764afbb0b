namespace Serdica.Perf.Delivery.Tests;

/// <summary>What is started or built upon is what was chosen, and not what a tag has come to mean since.</summary>
public sealed partial class ImageDigestTests
{
    private const string ImageConstants = "src/Serdica.Perf.Databases/Containers/ContainerImages.cs";

    /// <summary>The images without a known digest; docs/security.md says so.</summary>
    private static readonly string[] WithoutDigest =
    [
        "citusdata/citus:13.2.0",
        "ghcr.io/documentdb/documentdb/documentdb-local:pg17-1.0.0",
    ];

    [Fact]
    public void Databases_in_containers_have_a_version_and_a_digest()
    {
        var images = Constant()
            .Matches(File.ReadAllText(Repository.PathOf(ImageConstants)))
            .Select(match => match.Groups[1].Value)
            .ToList();

        Assert.Equal(5, images.Count);
        Assert.Empty(WithoutDigest.Except(images));
        EachItem.Holds(images.Except(WithoutDigest), AssertPinned);
    }

    [Fact]
    public void Stages_of_the_image_have_a_version_and_a_digest() =>
        EachItem.Holds(
            File.ReadLines(Repository.PathOf("eng/docker/Dockerfile"))
                .Where(line => line.StartsWith("FROM "))
                .Select(line => line.Split(' ')[1]),
            AssertPinned
        );

    [Fact]
    public void Services_of_the_compose_file_have_a_version_and_a_digest() =>
        EachItem.Holds(
            File.ReadLines(Repository.PathOf("eng/compose.yaml"))
                .Select(line => Service().Match(line))
                .Where(service => service.Success)
                .Select(service => service.Groups[1].Value)
                .Except(WithoutDigest),
            AssertPinned
        );

    private static void AssertPinned(string image) => Assert.Matches(Pinned(), image);

    [GeneratedRegex("const string \\w+ =\\s+\"([^\"]+)\"")]
    private static partial Regex Constant();

    [GeneratedRegex("^ +image: \\$\\{\\w+:-([^}]+)\\}$")]
    private static partial Regex Service();

    [GeneratedRegex("^[a-z0-9./-]+:[0-9]+\\.[0-9]+[\\w.-]*@sha256:[0-9a-f]{64}\\z")]
    private static partial Regex Pinned();
}
