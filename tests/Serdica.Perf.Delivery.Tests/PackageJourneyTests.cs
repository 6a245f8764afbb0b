namespace Serdica.Perf.Delivery.Tests;

/// <summary>The journey that needs the packages of this repository.</summary>
[Collection(typeof(PackageCollection))]
public sealed class PackageJourneyTests(PackedSolution packages) : FolderTests
{
    [Fact]
    public async Task Gate_my_repository()
    {
        // The packages of others are where the build of these tests has put them; nothing is asked for elsewhere.
        await File.WriteAllTextAsync(
            Root.Below("nuget.config"),
            $"<configuration><packageSources><clear /><add key=\"Here\" value=\"{packages.Folder}\" /></packageSources></configuration>",
            Token
        );
        await JourneyTests.WalkAsync(
            "gate-my-repository.md",
            new Dictionary<string, string>
            {
                // Tools of one folder are remembered for all: another folder with the same package would find this one's.
                ["DOTNET_CLI_HOME"] = Root.Below("cli"),
                ["NUGET_PACKAGES"] = Root.Below("packages"),
                ["NUGET_FALLBACK_PACKAGES"] = Environment.GetEnvironmentVariable("NUGET_PACKAGES")
                    ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages"),
                ["PACKAGES"] = packages.Folder,
                ["GIT_AUTHOR_NAME"] = "Test",
                ["GIT_AUTHOR_EMAIL"] = "test@example.org",
                ["GIT_COMMITTER_NAME"] = "Test",
                ["GIT_COMMITTER_EMAIL"] = "test@example.org",
            },
            Root.Below("nuget.config")
        );
    }
}
