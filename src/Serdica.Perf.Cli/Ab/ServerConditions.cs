using Serdica.Perf.Databases.Local;
using Serdica.Perf.Databases.Sources;

namespace Serdica.Perf.Cli.Ab;

/// <summary>What the PostgreSQL server of one side of `ab` is started with. A side that asks for nothing shares the usual server.</summary>
internal sealed record ServerConditions
{
    public const string SettingsPrefix = "settings:";
    public const string ImagePrefix = "image:";
    public const string SizePrefix = "size:";

    public static ServerConditions None { get; } = new();

    /// <summary>A file of settings, as it was written; null without one.</summary>
    public string? SettingsFile { get; init; }

    /// <summary>What is in the file.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init; } = new Dictionary<string, string>();

    /// <summary>In place of the pinned one.</summary>
    public string? Image { get; init; }

    public double? Cpus { get; init; }

    public long? MemoryBytes { get; init; }

    /// <summary>As on the command line; empty without any. Sides with the same text share a server.</summary>
    public string Text =>
        string.Join(' ', new[] { Word(SettingsPrefix, SettingsFile), Word(ImagePrefix, Image), Word(SizePrefix, Size) }.OfType<string>());

    private string? Size =>
        Cpus is not { } cpus
            ? null
            : Invariant($"{cpus}{(MemoryBytes is { } bytes ? $",{bytes >> 20}m" : "")}");

    /// <exception cref="UsageException">The file is not there, or has something that no server gets.</exception>
    public ServerConditions WithSettings(string side, string file) =>
        ServerSettingsFile.TryRead(file, out var settings, out var problem)
            ? this with
            {
                SettingsFile = file,
                Settings = settings,
            }
            : throw new UsageException($"{SettingsPrefix}{file} in {side} is not a file of server settings: {problem}.");

    /// <exception cref="UsageException">It is no size.</exception>
    public ServerConditions WithSize(string side, string text)
    {
        var parts = text.Split(',');
        var cpus = ContainerOptionSet.Sizes(parts[0]) is [var only] ? only : (double?)null;
        var memory = parts.Length == 2 ? ContainerOptionSet.Bytes(parts[1]) : null;
        return cpus is null || parts.Length > 2 || (parts.Length == 2 && memory is null)
            ? throw new UsageException(
                $"{SizePrefix}{text} in {side} is not a size; give processors, or processors and a memory of 64m or more with m or g: "
                    + "for instance size:2 or size:2,4g."
            )
            : this with
            {
                Cpus = cpus,
                MemoryBytes = memory,
            };
    }

    /// <summary>The difference to another side, each as a phrase; what the settings do is read back from the servers.</summary>
    public IReadOnlyList<string> Against(ServerConditions candidate) =>
        [
            .. Phrase("settings", SettingsFile, candidate.SettingsFile),
            .. Phrase("image", Image, candidate.Image),
            .. Phrase("server size", Size, candidate.Size),
        ];

    /// <summary>The request for a server of this kind.</summary>
    public DatabaseRequest Apply(DatabaseRequest request) =>
        request with
        {
            ServerSettings = request
                .ServerSettings.Where(setting => !Settings.ContainsKey(setting.Key))
                .Concat(Settings)
                .ToDictionary(setting => setting.Key, setting => setting.Value),
            Container = request.Container with
            {
                Image = Image ?? request.Container.Image,
                Cpus = Cpus ?? request.Container.Cpus,
                MemoryBytes = MemoryBytes ?? request.Container.MemoryBytes,
            },
        };

    /// <summary>Whether only a container can have them, where databases come from this source; null leaves the choice.</summary>
    public bool NeedContainer(DatabaseSourceKind? source) =>
        Image is not null || MemoryBytes is not null || (Cpus is not null && source is not DatabaseSourceKind.Local);

    /// <exception cref="UsageException">No server can have them.</exception>
    public void Check(string side, string backend, bool hasServer, DatabaseRequest request)
    {
        var what = $"{Text} in {side}";
        if (backend != BackendNames.PostgreSql)
            throw new UsageException($"{what} is for {BackendNames.PostgreSql}, and the backend of that side is {backend}.");
        if (hasServer)
            throw new UsageException($"{what} is for a server that is started for the comparison; leave it or server:NAME out.");
        var variable = DatabaseEnvironment.ConnectionStringVariable(backend);
        if (request.Source is DatabaseSourceKind.External || (request.Source is null && request.ConnectionString is not null))
        {
            throw new UsageException(
                $"{what} is for a server that is started for the comparison, but {variable} names a running server; "
                    + "unset it, or give --source local or --source containers."
            );
        }

        if (request.Source is DatabaseSourceKind.Local && NeedContainer(request.Source))
        {
            throw new UsageException(
                $"{what} needs a container, and --source is local; leave it out. A local server can have settings:FILE and size:CPUS."
            );
        }
    }

    /// <summary>Why this machine cannot have such a server; null when nothing speaks against it. Nothing is started.</summary>
    public async Task<string?> MissingAsync(string side, DatabaseRequest request, CancellationToken cancellationToken)
    {
        if (request.Source == DatabaseSourceKind.Local && ProcessorBinding.For(Cpus).Problem is { } cannotBind)
            return $"{Text} in {side} is not available here: {cannotBind}";
        if (!NeedContainer(request.Source))
            return null;
        var findings = await DatabaseSources.Of(BackendNames.PostgreSql).InspectAsync(request, cancellationToken);
        var container = findings.Single(finding => finding.Source == DatabaseSourceKind.Containers);
        return container.IsAvailable
            ? null
            : $"{Text} in {side} needs a container, but this machine cannot start one: {container.Detail} "
                + "Nothing was measured. Without containers, use settings:FILE or size:CPUS with --source local.";
    }

    private static string? Word(string prefix, string? value) => value is null ? null : prefix + value;

    private static string[] Phrase(string name, string? before, string? after) =>
        before == after ? [] : [$"{name}: {before ?? "none"} against {after ?? "none"}"];
}
