namespace Serdica.Perf.Databases.Containers.Modules;

/// <summary>MongoDB in its official image, as a replica set of one member: a single server has no transactions.</summary>
internal sealed class MongoDbModule : ContainerModule
{
    private const string KeyFile = "/etc/serdica-perf-key";

    // The id of the user mongodb in the image.
    private const uint ServerUser = 999;

    // While the image sets up its user it runs another server, which is no member of the set.
    private const string Question = """
        try { rs.status() } catch (e) { if (e.codeName !== 'NotYetInitialized') throw e;
            rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: '127.0.0.1:27017' }] }) }
        const hello = db.hello();
        if (hello.setName !== 'rs0' || !hello.isWritablePrimary) throw new Error('no primary yet');
        const engine = db.serverStatus().storageEngine;
        const writes = db.adminCommand({ getDefaultRWConcern: 1 }).defaultWriteConcern;
        print(JSON.stringify({
            version: db.version(), storageEngine: engine.name, persistent: String(engine.persistent),
            defaultWriteConcern: String(writes && writes.w),
            majorityWritesJournal: String(rs.conf().writeConcernMajorityJournalDefault) }));
        """;

    private const string LogIn = $"""
        const user = encodeURIComponent('{User}'), password = encodeURIComponent(process.env.MONGO_INITDB_ROOT_PASSWORD);
        db = connect('mongodb://' + user + ':' + password + '@127.0.0.1:27017/test?authSource=admin&directConnection=true');

        """;

    public override string Backend => DatabaseEnvironment.MongoDb;

    public override string Product => "MongoDB";

    public override string Image => ContainerImages.MongoDb;

    public override int Port => 27017;

    public override string DataFolder => "/data/db";

    public override string PasswordVariable => "MONGO_INITDB_ROOT_PASSWORD";

    public override IReadOnlyDictionary<string, string> Variables(string password) =>
        new Dictionary<string, string> { ["MONGO_INITDB_ROOT_USERNAME"] = User, [PasswordVariable] = password };

    public override IReadOnlyList<string> Command(IReadOnlyDictionary<string, string> serverSettings) =>
        ["mongod", "--replSet", "rs0", "--keyFile", KeyFile, "--bind_ip_all"];

    // The members of a set that asks for passwords must know each other by a key, be there only one.
    public override IReadOnlyList<ContainerFile> Files(string password) => [new(KeyFile, password, ServerUser)];

    // The set knows its member by an address within the container, so the driver is not to look for others.
    public override string ConnectionString(string host, int port, string password) =>
        $"mongodb://{User}:{password}@{host}:{port}/?authSource=admin&directConnection=true";

    public override async Task<(ServerDescription? Description, string? NotYet)> AskAsync(
        IDatabaseContainer container,
        string connectionString,
        string? fileSystem,
        CancellationToken cancellationToken
    )
    {
        // The password in the script that the shell reads, not among its arguments: the process list is everybody's. It is
        // one of ours, of letters and digits; the script reads it from the variable by itself.
        const string Shell = "exec mongosh --quiet --norc --nodb --eval \"$1\"";
        var (exitCode, output, errors) = await container.RunAsync(["sh", "-c", Shell, "sh", LogIn + Question], cancellationToken);

        if (exitCode != 0)
            return (null, $"{output} {errors}".Trim());

        return (Read(output.Trim().Split('\n')[^1], fileSystem), null);
    }

    /// <summary>A majority of one member is durable when its journal is, and so are writes that ask for no more than the default.</summary>
    internal static ServerDescription Read(string answer, string? fileSystem)
    {
        var settings = JsonSerializer.Deserialize<Dictionary<string, string>>(answer)!;
        settings.Remove("version", out var version);
        settings.Remove("persistent", out var persistent);
        var isDurable =
            persistent == "true" && settings["majorityWritesJournal"] == "true" && settings["defaultWriteConcern"] == "majority";

        return new ServerDescription
        {
            Product = "MongoDB",
            Version = version!,
            Source = DatabaseSourceKind.Containers,
            Durability = isDurable && !FileSystems.IsInMemory(fileSystem) ? DurabilityClass.Durable : DurabilityClass.NotDurable,
            DurabilitySettings = settings,
            Settings = new Dictionary<string, string>(),
            FileSystem = fileSystem,
        };
    }
}
