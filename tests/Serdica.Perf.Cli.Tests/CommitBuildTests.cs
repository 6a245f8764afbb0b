namespace Serdica.Perf.Cli.Tests;

/// <summary>Worktrees of a small repository that has the project where this one has it.</summary>
public sealed class CommitBuildTests : IDisposable
{
    private const string Project = "src/Serdica.Perf.Cli";

    private readonly string _folder = Directory.CreateTempSubdirectory("serdica-perf-repository-").FullName;

    [Fact]
    public async Task Program_that_is_not_installed_is_named()
    {
        Task Run() => ChildProcess.RunAsync("no-git", [], ".", new Dictionary<string, string>(), Token);

        Assert.StartsWith("'no-git' cannot be started; ", (await Assert.ThrowsAsync<UsageException>(Run)).Message);
    }

    /// <summary>It is built whatever was found out about its packages since.</summary>
    [Fact]
    public async Task A_commit_is_built_apart_and_is_gone_afterwards()
    {
        Git("init", "--quiet");
        Write(
            "Serdica.Perf.Cli.csproj",
            """
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework>
                <AssemblyName>serdica-perf</AssemblyName></PropertyGroup>
              <Target Name="Advisory" BeforeTargets="CoreCompile" Condition="'$(NuGetAudit)' != 'false'">
                <Error Code="NU1903" Text="A package has a known high severity vulnerability." />
              </Target>
            </Project>
            """
        );
        Write("Program.cs", "System.Console.WriteLine(1);");
        Commit();
        Write("Program.cs", "this is not C#");

        string assembly;
        var build = await CommitBuild.CreateAsync(await ResolveAsync("HEAD"), _folder, Token);
        await using (build)
        {
            assembly = build.Program.Assembly;
            Assert.True(File.Exists(assembly));
        }

        Assert.False(Directory.Exists(build.Program.Folder));
        Assert.False(File.Exists(assembly));
        Assert.Single(Git("worktree", "list").Trim().Split('\n'));
    }

    [Fact]
    public async Task A_commit_that_does_not_build_is_one_sentence_and_leaves_nothing()
    {
        Git("init", "--quiet");
        Write(
            "Serdica.Perf.Cli.csproj",
            """
            <Project DefaultTargets="Build">
              <Target Name="Restore" />
              <Target Name="Build">
                <Error Code="CS1002" File="$(MSBuildProjectDirectory)/Program.cs" Text="; expected" />
              </Target>
            </Project>
            """
        );
        Commit();
        var commit = await ResolveAsync("HEAD");

        var error = await Assert.ThrowsAsync<MeasuringException>(() => CommitBuild.CreateAsync(commit, _folder, Token));

        Assert.Matches($"^The commit {commit[..12]} does not build: CS1002: ; expected$", error.Message);
        Assert.DoesNotContain(Path.GetTempPath(), error.Message);
        Assert.Equal(ExitCodes.Failed, error.ExitCode);
        Assert.Single(Git("worktree", "list").Trim().Split('\n'));
    }

    [Fact]
    public async Task A_commit_without_the_program_and_a_folder_without_a_repository_are_said_so()
    {
        await Assert.ThrowsAsync<UsageException>(() => ResolveAsync("HEAD"));
        Git("init", "--quiet");
        File.WriteAllText(Path.Combine(_folder, "README.md"), "nothing here");
        Commit();

        var error = await Assert.ThrowsAsync<MeasuringException>(async () =>
            await CommitBuild.CreateAsync(await ResolveAsync("HEAD"), _folder, Token)
        );

        Assert.Contains("has no src/Serdica.Perf.Cli/Serdica.Perf.Cli.csproj, so it cannot be measured", error.Message);
        Assert.Single(Git("worktree", "list").Trim().Split('\n'));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private Task<string> ResolveAsync(string revision) => CommitBuild.ResolveAsync(revision, _folder, Token);

    private void Write(string file, string text)
    {
        Directory.CreateDirectory(Path.Combine(_folder, Project));
        File.WriteAllText(Path.Combine(_folder, Project, file), text);
    }

    private void Commit() => GitCommand.Commit(_folder);

    private string Git(params string[] arguments) => GitCommand.Run(_folder, arguments);
}
