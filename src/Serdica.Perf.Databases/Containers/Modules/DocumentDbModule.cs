namespace Serdica.Perf.Databases.Containers.Modules;

/// <summary>
/// DocumentDB in its own image, by way of its PostgreSQL; its gateway is started too and not used. The image takes no
/// server settings: what it sets is read back.
/// </summary>
internal sealed class DocumentDbModule(PostgreSqlFlavour flavour) : PostgreSqlModule(flavour)
{
    public override string Image => ContainerImages.DocumentDb;

    public override int Port => 9712;

    public override string PasswordVariable => "PASSWORD";

    public override bool TakesSettings => false;

    public override IReadOnlyDictionary<string, string> Variables(string password) =>
        new Dictionary<string, string>
        {
            ["USERNAME"] = User,
            [PasswordVariable] = password,
            ["DATA_PATH"] = $"{DataFolder}/data",
            ["ALLOW_EXTERNAL_CONNECTIONS"] = "true",
        };

    public override IReadOnlyList<string> Command(IReadOnlyDictionary<string, string> serverSettings) => [];
}
