namespace Serdica.Perf.Faults.Tests.Actuators;

/// <summary>What is done to a server happens, and what was committed before is there afterwards.</summary>
public sealed class ServerActuatorTests
{
    [Theory]
    [InlineData(DatabaseEnvironment.PostgreSql)]
    [InlineData(DatabaseEnvironment.DocumentDb)]
    public async Task Server_that_was_killed_or_stopped_has_its_data_on_the_same_port(string backend)
    {
        await using var server = await LocalServer.StartOrSkipAsync(backend: backend);
        var actuator = new ServerActuator((LocalPostgreSqlServer)server);
        var table = await Sql.MakeTableAsync(server);
        Func<Task<int>>[] ends =
        [
            () => actuator.KillAsync(Token),
            () => actuator.StopAsync(immediate: true, Token),
            () => actuator.StopAsync(immediate: false, Token),
        ];
        for (var n = 0; n < ends.Length; n++)
        {
            var before = server.ProcessId;
            await using var open = await Sql.OpenAsync(server.ConnectionString);
            await Sql.ExecuteAsync(open, $"insert into {table} values ({n})");

            Assert.InRange(await ends[n](), 2, 100);
            Assert.Null(server.ProcessId);
            await Assert.ThrowsAnyAsync<NpgsqlException>(() => Sql.OpenAsync(server.ConnectionString));
            await actuator.Cluster.StartAgainAsync(Token);

            Assert.Equal(n + 1, await Sql.CountAsync(server, table));
            Assert.NotEqual(before, server.ProcessId);
            await Assert.ThrowsAnyAsync<NpgsqlException>(() => Sql.ExecuteAsync(open, "select 1"));
        }
    }

    [Theory]
    [InlineData(DatabaseEnvironment.PostgreSql)]
    [InlineData(DatabaseEnvironment.DocumentDb)]
    public async Task Server_without_room_to_write_commits_nothing_and_has_its_data_once_there_is_room(string backend)
    {
        await using var server = await LocalServer.StartOrSkipAsync(backend: backend);
        var actuator = new ServerActuator((LocalPostgreSqlServer)server);
        var table = await Sql.MakeTableAsync(server);
        await using var open = await Sql.OpenAsync(server.ConnectionString);
        await Sql.ExecuteAsync(open, $"insert into {table} values (1)");

        var processes = await actuator.FillDiskAsync(Token);

        Assert.InRange(processes.Count, 2, 100);
        await Assert.ThrowsAnyAsync<NpgsqlException>(() => Sql.ExecuteAsync(open, $"insert into {table} values (2)"));
        await actuator.StartAfreshAsync(Token);
        Assert.DoesNotContain(processes, ProcessTree.IsAlive);
        Assert.Equal(1, await Sql.CountAsync(server, table));
        await using var again = await Sql.OpenAsync(server.ConnectionString);
        await Sql.ExecuteAsync(again, $"insert into {table} values (2)");
        Assert.Equal(2, await Sql.CountAsync(server, table));
    }

    [Fact]
    public async Task Server_goes_on_while_the_volume_of_its_tables_is_full_and_writes_once_there_is_room()
    {
        await using var server = (LocalPostgreSqlServer)await LocalServer.StartOrSkipAsync();
        var (volume, problem) = await server.Cluster.AddVolumeAsync(Token);
        Assert.SkipWhen(volume is null, problem ?? "");
        await new ServerSessions(server.ConnectionString).UseVolumeAsync(volume, Token);
        var actuator = new ServerActuator(server);
        var table = await Sql.MakeTableAsync(server);
        await using var open = await Sql.OpenAsync(server.ConnectionString);
        await Sql.ExecuteAsync(open, $"insert into {table} values (1)");
        var process = server.ProcessId;
        var rows = $"insert into {table} select n from generate_series(2, 100000) as n";

        await server.Cluster.FillVolumeAsync(Token);
        var refused = await Assert.ThrowsAsync<PostgresException>(() => Sql.ExecuteAsync(open, rows));

        Assert.Equal(PostgresErrorCodes.DiskFull, refused.SqlState);
        Assert.InRange(actuator.CountWritesWithoutRoom(), 1, int.MaxValue);
        Assert.Equal(1, await Sql.CountAsync(server, table));
        await server.Cluster.FreeVolumeAsync(Token);

        // The driver does not go on with a connection that has told of a full disk.
        await using var again = await Sql.OpenAsync(server.ConnectionString);
        await Sql.ExecuteAsync(again, rows);
        Assert.Equal(100_000, await Sql.CountAsync(server, table));
        Assert.Equal(process, server.ProcessId);
        Assert.Empty(Directory.EnumerateFileSystemEntries(volume));
        Assert.DoesNotContain(volume, await File.ReadAllTextAsync("/proc/self/mounts", Token));
    }

    [Fact]
    public async Task Paused_server_answers_when_it_is_resumed()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        var actuator = new ServerActuator((LocalPostgreSqlServer)server);
        await using var connection = await Sql.OpenAsync(server.ConnectionString);
        var processes = ProcessTree.WithChildren(server.ProcessId!.Value);
        Task query;
        await using (var paused = await actuator.PauseAsync(Token))
        {
            Assert.InRange(paused.Stopped, 3, int.MaxValue);

            // One of those before may have ended meanwhile.
            EachItem.Holds(processes.Where(ProcessTree.IsAlive), process => Assert.True(ProcessTree.IsStopped(process)));
            query = Sql.ExecuteAsync(connection, "select 1");
            Assert.True(ProcessTree.IsStopped(connection.ProcessID));
            Assert.False(query.IsCompleted);
        }

        await query;
        Assert.DoesNotContain(processes, ProcessTree.IsStopped);
    }
}
