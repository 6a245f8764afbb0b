namespace Serdica.Perf.Databases.Local;

/// <summary>A PostgreSQL of a flavour from installed programs, in a temporary folder.</summary>
internal sealed class LocalPostgreSql(PostgreSqlFlavour flavour) : IDatabaseSource
{
    public DatabaseSourceKind Kind => DatabaseSourceKind.Local;

    public ValueTask<bool> IsCandidateAsync(DatabaseRequest request, CancellationToken cancellationToken) => new(true);

    public async Task<ProvisionOutcome> ProvisionAsync(DatabaseRequest request, ILogger logger, CancellationToken cancellationToken)
    {
        var (binaries, user, problem) = Find(request);

        if (binaries is null)
            return new ProvisionOutcome.Unavailable(problem!);

        var (binding, cannotBind) = ProcessorBinding.For(request.Container.Cpus);
        if (cannotBind is not null)
            return new ProvisionOutcome.Unavailable(cannotBind);

        var temporaryBase = TemporaryBase.Choose(request.TemporaryFolder);

        if (FileSystems.IsInMemory(temporaryBase.FileSystem))
            Log.DataInMemory(logger, temporaryBase.Folder, temporaryBase.FileSystem!);

        StaleClusters.Sweep(temporaryBase.Folder, binaries, user, logger);

        return new ProvisionOutcome.Provisioned(
            await LocalPostgreSqlServer.StartAsync(
                flavour,
                binaries,
                user,
                temporaryBase,
                request.ServerSettings,
                binding,
                logger,
                cancellationToken
            )
        );
    }

    public Task<SourceFinding> InspectAsync(DatabaseRequest request, CancellationToken cancellationToken)
    {
        var (binaries, user, problem) = Find(request);

        return Task.FromResult(
            binaries is null
                ? new SourceFinding(Kind, false, problem!)
                : new SourceFinding(
                    Kind,
                    true,
                    $"{flavour.NameOf(binaries)} in {binaries.Folder}"
                        + (user is null ? "." : $", run as the user '{user.Name}' because the suite runs as root.")
                )
        );
    }

    private (PostgreSqlBinaries? Binaries, ServerUser? User, string? Problem) Find(DatabaseRequest request)
    {
        var (binaries, problem) = flavour.FindBinaries(request);

        if (binaries is null)
            return (null, null, problem);

        var (user, noUser) = ServerUser.ForThisProcess();
        return noUser is null ? (binaries, user, null) : (null, null, noUser);
    }
}
