namespace Serdica.Perf.Delivery.Tests;

/// <summary>What is started or built upon is what was chosen, and not what a tag has come to mean since.</summary>
public sealed partial class ImageDigestTests
{
    private const string ImageConstants = "src/Serdica.Perf.Databases/Containers/ContainerImages.cs";

    /// <summary>The one image without a known digest; docs/security.md says so.</summary>
    private const string WithoutDigest = "ghcr.io/documentdb/documentdb/documentdb-local:";

    [Fact]
    public void Databases_in_containers_have_a_version_and_a_digest()
    {
        var images = Constant()
            .Matches(File.ReadAllText(Repository.PathOf(ImageConstants)))
            .Select(match => match.Groups[1].Value)
            .ToList();

        Assert.Equal(4, images.Count);
        Assert.Single(images, image => image.StartsWith(WithoutDigest, Ordinal));
        EachItem.Holds(images.Where(image => !image.StartsWith(WithoutDigest, Ordinal)), AssertPinned);
        Assert.All(images, image => Assert.DoesNotContain(":latest", image, Ordinal));
    }

    [Fact]
    public void Stages_of_the_image_have_a_version_and_a_digest() =>
        EachItem.Holds(
            File.ReadLines(Repository.PathOf("eng/docker/Dockerfile"))
                .Where(line => line.StartsWith("FROM ", Ordinal))
                .Select(line => line.Split(' ')[1]),
            AssertPinned
        );

    [Fact]
    public void Services_of_the_compose_file_have_a_version_and_a_digest() =>
        EachItem.Holds(
            File.ReadLines(Repository.PathOf("eng/compose.yaml"))
                .Select(line => Service().Match(line))
                .Where(service => service.Success)
                .Select(service => service.Groups[1].Value),
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
