namespace Serdica.Perf.Delivery.Tests;

/// <summary>What is packed again after a change has another version, since NuGet keeps what it has seen under a version.</summary>
[Collection(typeof(PackageCollection))]
public sealed class PackageVersionTests(PackedSolution packages) : FolderTests
{
    private const string Library = "Serdica.Perf.Testing";

    [Fact]
    public async Task Each_state_of_a_repository_gives_a_version_of_its_own_and_a_pack_without_a_build_that_of_the_build()
    {
        var probe = new ProbeProject(Root);
        await probe.GitAsync("init", "--quiet");
        var first = await probe.CommitAsync("First");
        var ofFirst = await probe.PackAsync();
        probe.Write("Changed");
        var firstAsBuilt = await probe.PackAsync("--no-build");
        var changed = await probe.PackAsync();
        Root.Write("src/Probe/New.cs", "namespace Probe;\n\npublic static class New;\n");
        var withNewFile = await probe.PackAsync();
        var again = await probe.PackAsync();
        var second = await probe.CommitAsync("Second");
        var changedAsBuilt = await probe.PackAsync("--no-build");
        var ofSecond = await probe.PackAsync();

        Assert.Matches($@"^\d+\.\d+\.\d+-dev\.\d{{14}}\.g{first[..12]}$", ofFirst.Package);
        Assert.Equal($"{ofFirst.Package}+{first}", ofFirst.Built);
        Assert.Equal(ofFirst, firstAsBuilt);
        Assert.StartsWith($"{ofFirst.Package}-changed-", changed.Package);
        Assert.StartsWith($"{changed.Package}+", changed.Built);
        Assert.StartsWith($"{ofFirst.Package}-changed-", withNewFile.Package);
        Assert.NotEqual(changed.Package, withNewFile.Package);
        Assert.Equal(withNewFile, again);
        Assert.Equal(withNewFile, changedAsBuilt);
        Assert.Matches($@"^\d+\.\d+\.\d+-dev\.\d{{14}}\.g{second[..12]}$", ofSecond.Package);
        Assert.Equal($"{ofSecond.Package}+{second}", ofSecond.Built);

        // As pipelines check it out.
        using var clone = new TemporaryFolder();
        await probe.GitAsync("clone", "--quiet", "--depth", "1", new Uri(Root.Path).AbsoluteUri, clone.Below("shallow"));
        Assert.True(File.Exists(clone.Below("shallow", ".git", "shallow")));
        Assert.Equal(ofSecond, await ProbeProject.In(clone.Below("shallow")).PackAsync());
    }

    [Fact]
    public async Task A_tree_without_git_packs_as_dev_and_a_named_version_is_taken()
    {
        var probe = new ProbeProject(Root);
        var plain = await probe.PackAsync();
        var named = await probe.PackAsync("-p:Version=7.1.0");
        var withSuffix = await probe.PackAsync("-p:VersionSuffix=dev.2");

        Assert.Matches(@"^\d+\.\d+\.\d+-dev$", plain.Package);
        Assert.Equal(plain.Package, plain.Built);
        Assert.Equal(("7.1.0", "7.1.0"), named);
        Assert.Equal(($"{plain.Package}.2", $"{plain.Package}.2"), withSuffix);
    }

    [Fact]
    public void All_packages_of_one_pack_have_one_version_and_depend_on_it()
    {
        var ids = packages.Ids(".nupkg");
        var dependencies = ids.SelectMany(packages.Dependencies).Where(dependency => ids.Contains(dependency.Id));

        Assert.Single(
            ids.Select(id => packages.Value(id, "version")).Concat(dependencies.Select(dependency => dependency.Version)).Distinct()
        );
        Assert.Contains(dependencies, dependency => dependency.Id == "Serdica.Perf.Workflows");
    }

    [Fact]
    public async Task A_new_project_gets_the_packages_that_were_packed_last()
    {
        var feed = Directory.CreateDirectory(Root.Below("feed")).FullName;
        foreach (var (version, age) in new[] { ("0.1.0-dev.3.g3", 2), ("0.1.0-dev.2.g2", 1), ("0.1.0", 3) })
        {
            var package = Path.Combine(feed, $"{Library}.{version}.nupkg");
            await File.WriteAllTextAsync(package, "", Token);
            File.SetLastWriteTimeUtc(package, DateTime.UtcNow.AddHours(-age));
        }

        Assert.Equal("0.1.0-dev.2.g2", await InitAsync(Root.Below("last"), "--packages", feed));
        var packed = packages.Value(Library, "version");
        Assert.Equal(packed, await InitAsync(Root.Below("packed"), "--packages", packages.Folder));
        Assert.Equal(packed, await InitAsync(Root.Below("feedless")));
    }

    /// <summary>The version of the library and of the tool in the project that is written.</summary>
    private static async Task<string> InitAsync(string folder, params string[] options)
    {
        using var output = new StringWriter();
        var application = new CommandLineApplication(output, output, new DatabaseEnvironment(_ => null));
        var exitCode = await application.RunAsync(["init", folder, .. options], Token);
        Assert.True(exitCode == 0, output.ToString());
        var project = XDocument.Load(Directory.GetFiles(folder, "*.csproj").Single());
        var library = project.Descendants("PackageReference").Single(reference => (string?)reference.Attribute("Include") == Library);
        var version = (string)library.Attribute("Version")!;
        var manifest = Path.Combine(folder, ".config", "dotnet-tools.json");
        var tools = await File.ReadAllTextAsync(manifest, Token);
        Assert.Contains($"\"version\": \"{version}\"", tools);
        return version;
    }
}
