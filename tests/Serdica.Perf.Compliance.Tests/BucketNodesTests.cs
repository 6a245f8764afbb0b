namespace Serdica.Perf.Compliance;

/// <summary>
/// Which node a bucket is entered at, by a catalogue like that of Citus on one PostgreSQL server: one worker is that server itself, the
/// other cannot be reached.
/// </summary>
public sealed class BucketNodesTests(PostgreSqlFixture fixture) : IAsyncLifetime
{
    private static readonly Buckets Two = new(2);

    private readonly ManualTimeProvider _clock = new();
    private readonly LogList<BucketNodes> _log = new();
    private PostgreSqlBackendOptions _options = null!;
    private NpgsqlConnectionStringBuilder _settings = null!;
    private NpgsqlDataSource _source = null!;
    private bool _isLost;
    private int _opened;

    private BucketNode Server => new(_settings.Host!, _settings.Port);

    public async ValueTask InitializeAsync()
    {
        _options = await fixture.NewOptionsAsync(Token);
        _settings = new(_options.ConnectionString) { SearchPath = _options.Schema, Pooling = false };
        _source = NpgsqlDataSource.Create(_settings);
        await ExecuteAsync(
            $"""
            create schema {_options.Schema};
            create table instance ();
            create table pg_dist_placement (shardid bigint, groupid integer);
            create table pg_dist_node (groupid integer, nodename text, nodeport integer, noderole text, isactive boolean);
            create function get_shard_id_for_distribution_column(regclass, smallint) returns bigint language sql as 'select $2';
            insert into pg_dist_placement values ({Two.All[0]}, 1), ({Two.All[1]}, 2);
            insert into pg_dist_node values (1, '{Server.Host}', {Server.Port}, 'primary', true), (2, '127.0.0.1', 1, 'primary', true);
            """
        );
    }

    public async ValueTask DisposeAsync()
    {
        if (_source is null)
            return;
        await using (var drop = _source.CreateCommand($"drop schema if exists {_options.Schema} cascade"))
            await drop.ExecuteNonQueryAsync(CancellationToken.None);
        await _source.DisposeAsync();
    }

    [Fact]
    public async Task Worker_that_cannot_be_reached_is_left_to_the_coordinator_with_one_warning()
    {
        using var nodes = Nodes();

        Assert.Equal(Server, await nodes.OfAsync(Two.All[0], Token));
        Assert.Null(await nodes.OfAsync(Two.All[1], Token));
        nodes.Forget(null);
        Assert.Null(await nodes.OfAsync(Two.All[1], Token));

        var warning = Assert.Single(_log.Lines);
        Assert.Contains("The worker 127.0.0.1:1 of the Citus cluster cannot be reached from here", warning);
        Assert.DoesNotContain(_settings.Username!, warning);
    }

    [Fact]
    public async Task Shard_that_was_moved_is_found_at_its_new_node_after_half_a_minute_or_an_error()
    {
        using var nodes = Nodes();
        Assert.Null(await nodes.OfAsync(Two.All[1], Token));

        await ExecuteAsync("update pg_dist_placement set groupid = 1");
        Assert.Null(await nodes.OfAsync(Two.All[1], Token));
        _clock.Advance(FromSeconds(30));
        Assert.Equal(Server, await nodes.OfAsync(Two.All[1], Token));

        await ExecuteAsync("update pg_dist_placement set groupid = 2");
        Assert.Equal(Server, await nodes.OfAsync(Two.All[1], Token));
        nodes.Forget(null);
        Assert.Null(await nodes.OfAsync(Two.All[1], Token));
    }

    [Fact]
    public async Task Worker_that_takes_no_more_connections_is_left_to_the_coordinator_until_it_does()
    {
        var role = $"{_options.Schema}_user";
        await ExecuteAsync($"create role {role} login password 'x'");
        try
        {
            (_settings.Username, _settings.Password) = (role, "x");
            using var nodes = Nodes();
            Assert.Equal(Server, await nodes.OfAsync(Two.All[0], Token));

            await ExecuteAsync($"alter role {role} nologin");
            Assert.Equal(Server, await nodes.OfAsync(Two.All[0], Token));
            nodes.Forget(Server);
            Assert.Null(await nodes.OfAsync(Two.All[0], Token));

            await ExecuteAsync($"alter role {role} login");
            _clock.Advance(FromSeconds(30));
            Assert.Equal(Server, await nodes.OfAsync(Two.All[0], Token));
        }
        finally
        {
            await ExecuteAsync($"drop role {role}");
        }
    }

    [Fact]
    public async Task Loss_of_the_coordinator_leaves_the_map_as_it_was()
    {
        using var nodes = Nodes();
        Assert.Equal(Server, await nodes.OfAsync(Two.All[0], Token));

        _isLost = true;
        nodes.Forget(null);
        Assert.Equal(Server, await nodes.OfAsync(Two.All[0], Token));
        Assert.Equal(Server, await nodes.OfAsync(Two.All[0], Token));
        Assert.Equal(2, _opened);

        using var first = Nodes();
        await Assert.ThrowsAsync<NpgsqlException>(async () => await first.OfAsync(Two.All[0], Token));
        _isLost = false;
        Assert.Equal(Server, await first.OfAsync(Two.All[0], Token));
    }

    /// <summary>Citus hashes as PostgreSQL does, and its shards are equal parts of all hashes.</summary>
    [Fact]
    public async Task Each_bucket_has_a_shard_of_its_own()
    {
        await using var hash = _source.CreateCommand(
            "select array_agg(hashint2(n)::bigint + 2147483648 order by place) from unnest($1) with ordinality as bucket (n, place)"
        );
        foreach (var count in Buckets.Counts)
        {
            hash.Parameters.Clear();
            hash.Parameters.Add(new() { Value = new Buckets(count).All.ToArray() });
            var hashes = (long[])(await hash.ExecuteScalarAsync(Token))!;

            Assert.Equal(Range(0, count), hashes.Select(of => (int)(of * count >> 32)));
        }
    }

    private BucketNodes Nodes() => new(new PostgreSqlScripts(_options.Schema, Two), OpenAsync, _settings, _clock, _log);

    private ValueTask<NpgsqlConnection> OpenAsync(CancellationToken cancellationToken)
    {
        _opened++;
        return _isLost ? throw new NpgsqlException("The coordinator is gone.") : _source.OpenConnectionAsync(cancellationToken);
    }

    private async Task ExecuteAsync(string sql)
    {
        await using var command = _source.CreateCommand(sql);
        await command.ExecuteNonQueryAsync(Token);
    }
}
