using YamlDotNet.RepresentationModel;

namespace Serdica.Perf.Cli.Tests;

/// <summary>The image's recipe, and the job and the hosts for Kubernetes.</summary>
public sealed class LoadJobTests : CliTests
{
    [Theory]
    [InlineData("load-job.yml", "batch/v1", "Job", "Never", ExitCodes.Success, "--dry-run")]
    [InlineData("hosts.yml", "apps/v1", "Deployment", "", ExitCodes.BackendUnavailable)]
    public async Task The_pods_have_limits_no_privileges_a_pinned_image_and_arguments_that_are_understood(
        string file,
        string version,
        string kind,
        string restart,
        int exitCode,
        params string[] others
    )
    {
        var job = Read($"eng/kubernetes/{file}");
        Assert.Equal((version, kind), (job["apiVersion"].ToString(), job["kind"].ToString()));
        var pod = (YamlMappingNode)job["spec"]["template"]["spec"];
        Assert.Equal(restart, pod.Children.TryGetValue("restartPolicy", out var policy) ? policy.ToString() : "");
        Assert.Equal("true", pod["securityContext"]["runAsNonRoot"].ToString());
        Assert.Equal("RuntimeDefault", pod["securityContext"]["seccompProfile"]["type"].ToString());
        var apart = pod["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][0];
        Assert.Equal(
            ("postgresql", "kubernetes.io/hostname"),
            (apart["labelSelector"]["matchLabels"]["app"].ToString(), apart["topologyKey"].ToString())
        );
        var container = Assert.Single(((YamlSequenceNode)pod["containers"]).Children);
        Assert.Matches(":[0-9]+\\.[0-9]+\\.[0-9]+$", container["image"].ToString());
        Assert.Equal(
            ("true", "false"),
            (
                container["securityContext"]["readOnlyRootFilesystem"].ToString(),
                container["securityContext"]["allowPrivilegeEscalation"].ToString()
            )
        );
        Assert.Equal(["cpu", "memory"], ((YamlMappingNode)container["resources"]["limits"]).Children.Keys.Select(key => key.ToString()));
        Assert.Equal("SERDICA_PERF_POSTGRESQL", container["env"][0]["name"].ToString());
        Assert.NotNull(container["env"][0]["valueFrom"]["secretKeyRef"]);

        var arguments = ((YamlSequenceNode)container["args"]).Children.Select(argument => argument.ToString());
        Assert.Equal(exitCode, await Cli.RunAsync([.. arguments, .. others]));
    }

    [Fact]
    public void The_image_does_not_run_as_root()
    {
        var users = File.ReadAllLines(PathOf("eng/docker/Dockerfile")).Where(line => line.StartsWith("USER "));

        Assert.Equal(["USER $APP_UID"], users);
    }

    private static YamlNode Read(string file)
    {
        using var text = File.OpenText(PathOf(file));
        var stream = new YamlStream();
        stream.Load(text);
        return stream.Documents.Single().RootNode;
    }

    private static string PathOf(string file) => Path.Combine(RepositoryRoot.Folder, file);
}
