namespace Serdica.Perf.Databases.Containers;

/// <summary>One start of a database in a container, from the plan to the first answer.</summary>
internal sealed class ContainerStart(
    ContainerModule module,
    IContainerEngine engine,
    string engineName,
    DatabaseRequest request,
    ILogger logger
)
{
    private static readonly TimeSpan Pause = FromMilliseconds(100);

    private readonly ContainerOptions _options = request.Container;
    private string _password = module.Password ?? "p" + RandomNumberGenerator.GetHexString(24, lowercase: true);

    /// <exception cref="DatabaseStartException">The server does not start, or is not what was asked for.</exception>
    public async Task<ProvisionOutcome> RunAsync(CancellationToken cancellationToken)
    {
        if (_options.DataInMemory && module.NotInMemory is { } problem)
            return new ProvisionOutcome.Unavailable($"The data of {module.Product} in a container cannot be in memory: {problem}.");
        if (!module.TakesSettings && request.ServerSettings.Count > 0)
            return new ProvisionOutcome.Unavailable(
                $"{DatabaseEnvironment.SettingsVariable(module.Backend)} sets {string.Join(", ", request.ServerSettings.Keys)}, and the "
                    + $"image of {module.Product} takes no settings: unset it, or set {DatabaseEnvironment.SourceVariable(module.Backend)} "
                    + "to local."
            );

        try
        {
            var started = TimeProvider.System.GetTimestamp();
            var plan = await PlanAsync(cancellationToken);
            Log.StartingContainer(logger, module.Product, plan.Image, engineName);
            var server = await StartAsync(plan, cancellationToken);
            Log.StartedContainer(
                logger,
                server.Description.Product,
                server.Description.Version,
                server.Description.Container!.Image,
                server.Description.FileSystem ?? "unknown file system",
                TimeProvider.System.GetElapsedTime(started).TotalMilliseconds
            );
            return new ProvisionOutcome.Provisioned(server);
        }
        catch (ContainerEngineException e) when (e.ImageIsMissing)
        {
            return new ProvisionOutcome.Unavailable(
                $"The image {_options.Image ?? module.Image} is not on this machine and cannot be pulled ({e.Message}): "
                    + "load it into the engine, "
                    + $"or name another in {DatabaseEnvironment.ImageVariable(module.Backend)}."
            );
        }
        catch (ContainerEngineException e)
        {
            throw Fault($"{engineName} did not start {module.Product} from {_options.Image ?? module.Image} ({e.Message})", e.Log);
        }
    }

    /// <summary>
    /// Looks at the containers that are there, removes what dead processes have left, and plans another or the same
    /// again.
    /// </summary>
    private async Task<ContainerPlan> PlanAsync(CancellationToken cancellationToken)
    {
        var found = await engine.ListAsync(cancellationToken);
        await SweepAsync(found, cancellationToken);
        var command = module.Command(
            _options.DataInMemory
                ? request.ServerSettings.Concat(module.SettingsInMemory).DistinctBy(setting => setting.Key).ToDictionary()
                : request.ServerSettings
        );
        var kept = _options.Keep ? KeptName(command) : null;
        var there = found.FirstOrDefault(container => kept is not null && container.Labels.GetValueOrDefault(ContainerLabels.Kept) == kept);

        foreach (var other in found.Where(container => container != there && container.Labels.ContainsKey(ContainerLabels.Kept)))
            Log.OtherContainerKept(logger, other.Labels.GetValueOrDefault(ContainerLabels.Backend) ?? "database", other.Id);

        _password = there?.Environment.GetValueOrDefault(module.PasswordVariable) ?? _password;
        var volume = $"serdica-perf-{kept ?? $"{module.Backend}-{RandomNumberGenerator.GetHexString(8, lowercase: true)}"}";
        var labels = new Dictionary<string, string>
        {
            [ContainerLabels.Backend] = module.Backend,
            [ContainerLabels.Volume] = volume,
            [kept is null ? ContainerLabels.Owner : ContainerLabels.Kept] = kept ?? ClusterOwner.ThisProcess.ToString(),
        };
        if (_options.Network is { } network)
            labels[ContainerLabels.Network] = network;

        return new ContainerPlan
        {
            Image = _options.Image ?? module.Image,
            Port = module.Port,
            Network = _options.Network,
            DataFolder = module.DataFolder,
            Volume = volume,
            DataInMemory = _options.DataInMemory,
            Environment = module.Variables(_password),
            Command = command,
            Files = module.Files(_password),
            Cpus = _options.Cpus,
            MemoryBytes = _options.MemoryBytes,
            Labels = labels,
            KeptAs = kept,
            IsReused = there is not null,
        };
    }

    private async Task SweepAsync(IReadOnlyList<FoundContainer> found, CancellationToken cancellationToken)
    {
        foreach (var container in found)
        {
            if (ClusterOwner.Parse(container.Labels.GetValueOrDefault(ContainerLabels.Owner) ?? "") is not { } owner || !owner.IsGone())
                continue;

            await engine.RemoveAsync(container.Id, container.Labels, cancellationToken);
            Log.RemovedStale(logger, $"the container {container.Id}", owner.ProcessId);
        }
    }

    /// <summary>Equal for equal settings, so that a kept container is reused only when it would be started the same way.</summary>
    private string KeptName(IReadOnlyList<string> command)
    {
        var text = string.Join(
            '\n',
            [_options.Image ?? module.Image, $"{_options.DataInMemory}", $"{_options.Cpus}", $"{_options.MemoryBytes}", .. command]
        );
        return $"{module.Backend}-kept-{Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)))[..12]}";
    }

    private async Task<ContainerServer> StartAsync(ContainerPlan plan, CancellationToken cancellationToken)
    {
        var container = await engine.StartAsync(plan, cancellationToken);

        try
        {
            var description = await UntilItAnswersAsync(container, plan, cancellationToken);
            var state = await container.InspectAsync(cancellationToken);
            Check(plan, description, state);

            return new ContainerServer(
                engine,
                container,
                plan,
                logger,
                () => ConnectionString(container),
                token => UntilItAnswersAsync(container, plan, token),
                description with
                {
                    Container = new ContainerDescription
                    {
                        Image = state.Image,
                        Engine = engineName,
                        Cpus = state.Cpus,
                        MemoryBytes = state.MemoryBytes,
                        IsReused = plan.IsReused,
                    },
                }
            );
        }
        catch
        {
            // What was there before belongs to somebody.
            if (!plan.IsReused)
                await engine.RemoveAsync(container.Id, plan.Labels, CancellationToken.None);

            throw;
        }
    }

    private async Task<ServerDescription> UntilItAnswersAsync(
        IDatabaseContainer container,
        ContainerPlan plan,
        CancellationToken cancellationToken
    )
    {
        var begin = TimeProvider.System.GetTimestamp();

        while (true)
        {
            var (description, notYet) = await AskAsync(container, plan, cancellationToken);

            if (description is not null)
                return description;

            var state = await container.InspectAsync(cancellationToken);

            if (!state.IsRunning)
                throw await FaultAsync(container, $"{module.Product} from {state.Image} ended with exit code {state.ExitCode}");

            if (TimeProvider.System.GetElapsedTime(begin) > module.StartLimit)
                throw await FaultAsync(
                    container,
                    $"{module.Product} from {state.Image} did not answer within {module.StartLimit.TotalSeconds:F0} s ({notYet})"
                );

            await Task.Delay(Pause, cancellationToken);
        }
    }

    private async Task<(ServerDescription? Description, string? NotYet)> AskAsync(
        IDatabaseContainer container,
        ContainerPlan plan,
        CancellationToken cancellationToken
    )
    {
        try
        {
            var fileSystem = await FlushProbe.FileSystemAsync(container, plan.DataFolder, cancellationToken);
            return await module.AskAsync(container, ConnectionString(container), fileSystem, cancellationToken);
        }
        catch (ContainerEngineException e)
        {
            // One that has ended meanwhile runs no programs; its state says so.
            return (null, e.Message);
        }
    }

    private string ConnectionString(IDatabaseContainer container) => module.ConnectionString(container.Host, container.Port, _password);

    /// <summary>Figures of another machine than was asked for, or of a server that may lose what it acknowledged, are none.</summary>
    private void Check(ContainerPlan plan, ServerDescription description, ContainerState state)
    {
        if (plan.Cpus != state.Cpus || plan.MemoryBytes != state.MemoryBytes)
        {
            throw new DatabaseStartException(
                $"{engineName} did not set the requested limits: "
                    + $"processors {state.Cpus?.ToString() ?? "no limit"} instead of {plan.Cpus?.ToString() ?? "no limit"}, "
                    + $"bytes of memory {state.MemoryBytes?.ToString() ?? "no limit"} instead of "
                    + $"{plan.MemoryBytes?.ToString() ?? "no limit"}: "
                    + "check what its control groups allow."
            );
        }

        if (!plan.DataInMemory && description.Durability != DurabilityClass.Durable)
        {
            throw new DatabaseStartException(
                $"{module.Product} from {state.Image} is not durable on {description.FileSystem ?? "an unknown file system"}, "
                    + $"with {string.Join(", ", description.DurabilitySettings.Select(setting => $"{setting.Key}={setting.Value}"))}: "
                    + $"remove whatever sets that."
            );
        }
    }

    private async Task<DatabaseStartException> FaultAsync(IDatabaseContainer container, string what) =>
        Fault(what, await container.ReadLogAsync(CancellationToken.None));

    private DatabaseStartException Fault(string what, string log)
    {
        var name = $"serdica-perf-{module.Backend}-{Environment.ProcessId}-{RandomNumberGenerator.GetHexString(8, lowercase: true)}.log";
        return KeptLog.Fault(
            what,
            log.Replace(_password, "***", Ordinal).Trim(),
            Path.Combine(TemporaryBase.Choose(request.TemporaryFolder).Folder, name)
        );
    }
}
