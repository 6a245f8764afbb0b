using Docker.DotNet;
using Docker.DotNet.Models;

namespace Serdica.Perf.Databases.Containers;

/// <summary>
/// The adapter to Testcontainers: the library fetches images, starts containers and runs programs in them; what it does
/// not tell (limits, statistics, what is there) is asked of the engine by the client that comes with it.
/// </summary>
internal sealed class TestcontainersEngine : IContainerEngine
{
    // The library reads it once, and asks for its own version of the interface in vain where the engine is older.
    private const string ApiVersionVariable = "DOCKER_API_VERSION";

    private readonly EngineEndpoint _endpoint;
    private readonly IDockerClient _client;

    public TestcontainersEngine(FoundEngine engine)
    {
        if (engine.ApiVersion < EngineRequests.LibraryApi && Environment.GetEnvironmentVariable(ApiVersionVariable) is null)
            Environment.SetEnvironmentVariable(ApiVersionVariable, engine.ApiVersion.ToString());

        _endpoint = engine.Endpoint;
        _client = new DockerClientBuilder().WithEndpoint(engine.Endpoint.Address).Build();
    }

    public async Task<IDatabaseContainer> StartAsync(ContainerPlan plan, CancellationToken cancellationToken)
    {
        var container = TestcontainersPlan.Build(plan, _endpoint);

        try
        {
            if (plan.Network is { } network)
                await AddNetworkAsync(network, plan.Labels, cancellationToken);
            await container.StartAsync(cancellationToken);
            return new TestcontainersContainer(container, _client, plan, _endpoint.Host);
        }
        catch (Exception e) when (EngineRequests.IsFailure(e) || e is OperationCanceledException)
        {
            var (end, log) = await LookAsync(container);

            if (!plan.IsReused)
                await RemoveWhatWasMadeAsync(plan);

            // The library tells a cancelled wait as a time-out.
            cancellationToken.ThrowIfCancellationRequested();
            throw new ContainerEngineException(end ?? EngineRequests.Cause(e), log) { ImageIsMissing = !await HasImageAsync(plan.Image) };
        }
    }

    public Task<IReadOnlyList<FoundContainer>> ListAsync(CancellationToken cancellationToken) =>
        EngineRequests.AskAsync(async () =>
        {
            var all = await ListAsync(ContainerLabels.Backend, cancellationToken);
            var found = new List<FoundContainer>();

            foreach (var container in all)
            {
                ContainerInspectResponse details;
                try
                {
                    details = await _client.Containers.InspectContainerAsync(container.ID, cancellationToken);
                }
                catch (Exception e) when (EngineRequests.IsGone(e))
                {
                    // Another process has just removed its own.
                    continue;
                }

                var variables = details.Config!.Env.Select(variable => variable.Split('=', 2)).Where(parts => parts.Length == 2);
                found.Add(
                    new FoundContainer(
                        container.ID,
                        container.Labels.AsReadOnly(),
                        variables.ToDictionary(parts => parts[0], parts => parts[1])
                    )
                );
            }

            return (IReadOnlyList<FoundContainer>)found;
        });

    public Task RemoveAsync(string id, IReadOnlyDictionary<string, string> labels, CancellationToken cancellationToken) =>
        EngineRequests.AskAsync(async () =>
        {
            await EngineRequests.UnlessGoneAsync(
                _client.Containers.RemoveContainerAsync(
                    id,
                    new ContainerRemoveParameters { Force = true, RemoveVolumes = true },
                    cancellationToken
                )
            );

            // Volumes with a name stay when their container goes.
            if (labels.GetValueOrDefault(ContainerLabels.Volume) is { } volume)
                await EngineRequests.UnlessGoneAsync(_client.Volumes.RemoveAsync(volume, force: true, cancellationToken));

            await RemoveNetworkAsync(labels.GetValueOrDefault(ContainerLabels.Network), cancellationToken);
            return true;
        });

    public void Dispose() => _client.Dispose();

    private Task<IList<ContainerListResponse>> ListAsync(string label, CancellationToken cancellationToken) =>
        _client.Containers.ListContainersAsync(
            new ContainersListParameters
            {
                All = true,
                Filters = new Dictionary<string, IDictionary<string, bool>> { ["label"] = new Dictionary<string, bool> { [label] = true } },
            },
            cancellationToken
        );

    private async Task RemoveWhatWasMadeAsync(ContainerPlan plan)
    {
        var made = await EngineRequests.AskAsync(() => ListAsync($"{ContainerLabels.Volume}={plan.Volume}", CancellationToken.None));

        foreach (var container in made)
            await RemoveAsync(container.ID, plan.Labels, CancellationToken.None);

        await RemoveNetworkAsync(plan.Network, CancellationToken.None);
    }

    private async Task AddNetworkAsync(string name, IReadOnlyDictionary<string, string> labels, CancellationToken cancellationToken)
    {
        var networks = await _client.Networks.ListNetworksAsync(cancellationToken: cancellationToken);

        // A process that died before a container was on its network has left it.
        foreach (var network in networks)
        {
            if (
                network.Labels is { } found
                && found.TryGetValue(ContainerLabels.Owner, out var owner)
                && ClusterOwner.Parse(owner)?.IsGone() == true
            )
                await RemoveNetworkAsync(network.Name, cancellationToken);
        }

        if (networks.All(network => network.Name != name))
            await _client.Networks.CreateNetworkAsync(
                new NetworksCreateParameters { Name = name, Labels = labels.ToDictionary() },
                cancellationToken
            );
    }

    private Task RemoveNetworkAsync(string? name, CancellationToken cancellationToken) =>
        EngineRequests.AskAsync(async () =>
        {
            try
            {
                if (name is not null)
                    await EngineRequests.UnlessGoneAsync(_client.Networks.DeleteNetworkAsync(name, cancellationToken));
            }
            catch (DockerApiException e) when (e.StatusCode == HttpStatusCode.Forbidden)
            {
                // Others are on it, and the last of them removes it.
            }

            return true;
        });

    private async Task<bool> HasImageAsync(string image)
    {
        try
        {
            await _client.Images.InspectImageAsync(image, CancellationToken.None);
            return true;
        }
        catch (DockerImageNotFoundException)
        {
            return false;
        }
    }

    /// <summary>
    /// How the container has ended, if it has: the library waits for its port in vain and tells a time-out. And what it wrote.
    /// </summary>
    private async Task<(string? End, string Log)> LookAsync(IContainer container)
    {
        try
        {
            var log = await TestcontainersContainer.ReadLogAsync(container, CancellationToken.None);
            var state = (await _client.Containers.InspectContainerAsync(container.Id, CancellationToken.None)).State!;
            return (state.Running || log.Length == 0 ? null : $"it ended with exit code {state.ExitCode}", log);
        }
        catch (Exception e) when (EngineRequests.IsFailure(e))
        {
            // It was not even made.
            return (null, "");
        }
    }
}
