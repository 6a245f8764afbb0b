using System.Net;
using System.Net.Sockets;

namespace Serdica.Perf.Databases.Tests.Containers;

public sealed class TestcontainersEngineTests
{
    private const string Network = "DELETE networks/cluster";

    /// <summary>With others on it the engine, which here has no images, refuses (403) to remove the network.</summary>
    [Theory]
    [InlineData(204)]
    [InlineData(403)]
    [InlineData(204, true)]
    public async Task Network_is_made_before_its_first_container_and_goes_with_the_last(int answer, bool isReused = false)
    {
        var labels = LabelsOf(ClusterOwner.ThisProcess);
        var left = JsonSerializer.Serialize(LabelsOf(ClusterOwner.ThisProcess with { ProcessId = int.MaxValue }));
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var (requests, acting) = (new List<string>(), ActAsync());
        while (true)
        {
            var next = listener.AcceptTcpClientAsync(Token).AsTask();
            if (await Task.WhenAny(next, acting) == acting)
                break;
            using var client = await next;
            var (text, buffer, read) = ("", new byte[8192], 1);
            while (read > 0 && (!text.Contains("\r\n\r\n") || (text.Contains("networks/create") && !text.Contains('}'))))
            {
                read = await client.GetStream().ReadAsync(buffer, Token);
                text += Encoding.UTF8.GetString(buffer, 0, read);
            }

            var request = Regex.Replace(text, @"^(\w+) (/v[0-9.]+)?/([^ ?]+).*", "$1 $3", RegexOptions.Singleline);
            requests.Add(request == "POST networks/create" ? text : request);
            var (status, body) = request switch
            {
                "GET networks" => (200, $$"""[{"Name":"left","Labels":{{left}}}]"""),
                "GET containers/json" => (200, """[{"Id":"made"}]"""),
                "POST networks/create" => (201, "{}"),
                Network => (answer, ""),
                _ => (request.StartsWith("DELETE") ? 204 : 404, ""),
            };
            var reply = $"HTTP/1.1 {status} Done\r\nContent-Length: {body.Length}\r\nConnection: close\r\n\r\n{body}";
            await client.GetStream().WriteAsync(Encoding.UTF8.GetBytes(reply), Token);
        }

        await acting;
        var made = Assert.Single(requests, request => request.Contains(JsonSerializer.Serialize(labels)));
        Assert.Equal(
            ["DELETE networks/left", .. isReused ? [] : (string[])[.. Removal("made"), Network], .. Removal("container")],
            requests.Where(request => request.StartsWith("DELETE"))
        );
        Assert.InRange(requests.IndexOf(made), 0, requests.IndexOf(Network));

        async Task ActAsync()
        {
            var address = new Uri($"http://{listener.LocalEndpoint}");
            using var engine = new TestcontainersEngine(new(new(address, "127.0.0.1", "127.0.0.1"), "None 1.0", new(1, 44)));
            var plan = TestcontainersPlanTests.Plan with { Network = "cluster", Labels = labels, IsReused = isReused };
            await Assert.ThrowsAsync<ContainerEngineException>(() => engine.StartAsync(plan, Token));
            await engine.RemoveAsync("container", labels, Token);
        }
    }

    private static string[] Removal(string container) => [$"DELETE containers/{container}", "DELETE volumes/volume", Network];

    private static Dictionary<string, string> LabelsOf(ClusterOwner owner) =>
        new()
        {
            [ContainerLabels.Owner] = owner.ToString(),
            [ContainerLabels.Volume] = "volume",
            [ContainerLabels.Network] = "cluster",
        };
}
