namespace Serdica.Perf.Cli.Tests;

/// <summary>Stores as document databases: on DocumentDB, by the commands that MongoDB gets too, but for the list of databases.</summary>
public sealed class DocumentStoresTests
{
    private const string Unmarked = "serdica_perf_unmarked";
    private const string Name = "serdica_perf_0123";

    private static readonly StoreMarker Marker = new("a run", "host", 7, DateTimeOffset.UnixEpoch, DateTimeOffset.UnixEpoch);

    [Fact]
    public async Task Store_is_made_with_its_marker_renewed_found_and_dropped_and_others_stay()
    {
        await using var server = await LocalServer.StartOrSkipAsync(backend: DatabaseEnvironment.DocumentDb);
        var stores = StoreServers.OnDocumentDb(server.ConnectionString);
        await InitializeAsync(server, Unmarked);
        await stores.MakeAsync("orders", Marker);
        await stores.MakeAsync(Name, Marker);
        await InitializeAsync(server, Name);

        Assert.Equal([new(Name, Marker), new(Unmarked, null)], await stores.FindAsync(Token));

        var renewed = Marker with { SeenAt = Marker.SeenAt.AddHours(1) };
        await stores.RenewAsync(Name, renewed);
        await stores.RenewAsync("serdica_perf_gone", renewed);
        Assert.Equal([new(Name, renewed), new(Unmarked, null)], await stores.FindAsync(Token));

        await stores.DropAsync(Name, Token);
        Assert.Equal([new(Unmarked, null)], await stores.FindAsync(Token));
        await stores.RenewAsync("orders", renewed);
    }

    private static async Task InitializeAsync(DatabaseServer server, string name)
    {
        await using var backend = MongoDbWorkflowBackend.OnDocumentDb(server.ConnectionString, name);
        await backend.InitializeAsync(Token);
        Assert.Equal(0, (await backend.TakeCensusAsync(Token)).Total);
    }
}
