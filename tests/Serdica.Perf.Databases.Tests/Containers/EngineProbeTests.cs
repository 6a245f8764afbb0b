using System.Net.Sockets;

namespace Serdica.Perf.Databases.Tests.Containers;

/// <summary>Every way in which there can be no engine has one sentence of its own.</summary>
public sealed class EngineProbeTests : ScratchTests
{
    private string SocketPath => Path.Combine(Root.Path, "engine.sock");

    [Fact]
    public async Task Engine_that_answers_is_found_with_its_version()
    {
        await using var engine = Answering("""{"Version":"28.1.1","ApiVersion":"1.49","MinAPIVersion":"1.24","Os":"linux"}""");

        var found = (await FindAsync()).Engine!;

        Assert.Equal(("Docker 28.1.1", new Version(1, 49)), (found.Name, found.ApiVersion));
        Assert.Equal(("127.0.0.1", "127.0.0.1"), (found.Endpoint.Host, found.Endpoint.PublishOn));
    }

    [Fact]
    public async Task Engine_that_answers_for_another_says_its_own_name()
    {
        await using var engine = Answering(
            """{"Version":"5.4.0","ApiVersion":"1.41","Os":"linux","Components":[{"Name":"Podman Engine"}]}"""
        );

        Assert.Equal("Podman 5.4.0", (await FindAsync()).Engine?.Name);
    }

    [Fact]
    public async Task Engine_that_is_too_old_is_told_to_be_updated()
    {
        await using var engine = Answering("""{"Version":"19.03.15","ApiVersion":"1.40","Os":"linux"}""");

        Assert.Equal(
            $"Docker 19.03.15 at unix://{SocketPath} has API version 1.40, and the suite needs 1.41 (Docker 20.10) or newer: update it.",
            await ProblemAsync()
        );
    }

    [Fact]
    public async Task Engine_of_other_containers_is_told_to_be_switched()
    {
        await using var engine = Answering("""{"Version":"28.1.1","ApiVersion":"1.49","Os":"windows"}""");

        Assert.EndsWith("runs containers of windows: switch it to Linux containers.", await ProblemAsync());
    }

    [Fact]
    public async Task Engine_that_is_absent_is_told_to_be_started() =>
        Assert.Equal(
            $"No container engine answers at unix://{SocketPath}: start Docker, or set DOCKER_HOST to where it is.",
            await ProblemAsync()
        );

    [Fact]
    public async Task Socket_that_nobody_listens_on_is_no_engine()
    {
        using (var abandoned = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified))
            abandoned.Bind(new UnixDomainSocketEndPoint(SocketPath));

        Assert.StartsWith("No container engine answers", await ProblemAsync());
    }

    [Fact]
    public async Task User_who_may_not_is_told_so()
    {
        if (OperatingSystem.IsWindows() || Environment.IsPrivilegedProcess)
        {
            Assert.Skip("Nothing is forbidden to this user.");
            return;
        }

        await using var engine = Answering("{}");
        File.SetUnixFileMode(SocketPath, UnixFileMode.None);

        Assert.StartsWith("This user may not use the container engine", await ProblemAsync());
    }

    [Fact]
    public async Task Engine_that_hangs_is_given_up()
    {
        await using var engine = new EngineSocket(SocketPath, answer: null);

        Assert.Contains("did not answer within", await ProblemAsync());
    }

    [Theory]
    [InlineData("""{"message":"page not found"}""")]
    [InlineData("[]")]
    [InlineData("hello")]
    public async Task What_is_no_engine_is_told_so(string answer)
    {
        await using var other = Answering(answer);

        Assert.StartsWith($"The program at unix://{SocketPath} is not a container engine", await ProblemAsync());
    }

    [Theory]
    [InlineData("garbage")]
    [InlineData("ssh://somewhere")]
    public async Task Name_that_is_no_address_is_quoted(string name) =>
        Assert.StartsWith($"DOCKER_HOST is '{name}', which is not the address", await ProblemAsync(name));

    [Fact]
    public void Ports_are_published_for_who_reaches_them()
    {
        static (string, string) Of(string engine, string? host = null)
        {
            var endpoint = EngineEndpoint.Of(new ContainerOptions { Engine = engine, Host = host }).Endpoint!;
            return (endpoint.Host, endpoint.PublishOn);
        }

        Assert.Equal(("127.0.0.1", "127.0.0.1"), Of("unix:///var/run/docker.sock"));
        Assert.Equal(("build-host", "0.0.0.0"), Of("tcp://build-host:2375"));
        Assert.Equal(("172.17.0.1", "0.0.0.0"), Of("unix:///var/run/docker.sock", "172.17.0.1"));
    }

    private EngineSocket Answering(string body) =>
        new(
            SocketPath,
            $"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {Encoding.UTF8.GetByteCount(body)}\r\nConnection: "
                + $"close\r\n\r\n{body}"
        );

    private Task<(FoundEngine? Engine, string? Problem)> FindAsync(string? engine = null) =>
        EngineProbe.FindAsync(new ContainerOptions { Engine = engine ?? $"unix://{SocketPath}" }, Token);

    private async Task<string> ProblemAsync(string? engine = null)
    {
        var (found, problem) = await FindAsync(engine);
        Assert.Null(found);
        return problem!;
    }
}
