namespace Serdica.Perf.Faults.Tests.Actuators;

public sealed class ServerSessionsTests(SharedPostgreSql postgreSql)
{
    [Fact]
    public async Task Snapshot_grows_old_while_others_write()
    {
        var server = await postgreSql.ServerAsync();
        var sessions = new ServerSessions(server.ConnectionString);
        var table = await Sql.MakeTableAsync(server);
        await using var held = await sessions.HoldSnapshotAsync(Token);
        await using var writer = await Sql.OpenAsync(server.ConnectionString);

        for (var n = 0; n < 10; n++)
            await Sql.ExecuteAsync(writer, $"insert into {table} values ({n})");

        Assert.InRange(await sessions.AgeAsync(held, Token), 10, long.MaxValue);
    }

    [Fact]
    public async Task Writers_wait_for_the_holder_of_a_lock()
    {
        var server = await postgreSql.ServerAsync();
        var sessions = new ServerSessions(server.ConnectionString);
        var table = await Sql.MakeTableAsync(server);
        await using var writer = await Sql.OpenAsync(server.ConnectionString);
        Task insert;
        await using (var held = await sessions.LockAsync(table, Token))
        {
            insert = Sql.ExecuteAsync(writer, $"insert into {table} values (1)");
            await Sql.UntilAsync(async () => await sessions.BlockedAsync(held, Token) == 1);
            Assert.False(insert.IsCompleted);
        }

        await insert;
    }

    [Fact]
    public async Task Server_without_room_for_the_question_is_at_its_limit()
    {
        var server = await postgreSql.ServerAsync();
        var user = $"u{Guid.NewGuid():N}";
        await using var owner = await Sql.OpenAsync(server.ConnectionString);
        await Sql.ExecuteAsync(owner, $"create role {user} login connection limit 0 password '{user}'");
        var refused = new NpgsqlConnectionStringBuilder(server.ConnectionString) { Username = user, Password = user };

        Assert.Equal(4711, await new ServerSessions(refused.ConnectionString).CountAsync(4711, Token));
    }

    [Fact]
    public async Task Killed_sessions_are_counted_and_those_of_faults_stay()
    {
        await using var server = await Databases.Tests.LocalServer.StartOrSkipAsync();
        var sessions = new ServerSessions(server.ConnectionString);
        await using var held = await sessions.HoldSnapshotAsync(Token);
        await using var one = await Sql.OpenAsync(server.ConnectionString);
        await using var two = await Sql.OpenAsync(server.ConnectionString);

        // One that is to end is there until it runs. The fourth asks.
        await HangGuard.UntilAsync(async () => await sessions.CountAsync(0, Token) == 4, () => "Sessions of the start stay.");
        Assert.Equal(1, await sessions.KillAsync(1, Token));
        await HangGuard.UntilAsync(async () => await sessions.CountAsync(0, Token) == 3, () => "The killed session stays.");
        Assert.Equal(1, await sessions.KillAsync(9, Token));

        await Assert.ThrowsAnyAsync<NpgsqlException>(() => Sql.ExecuteAsync(one, "select 1"));
        await Assert.ThrowsAnyAsync<NpgsqlException>(() => Sql.ExecuteAsync(two, "select 1"));
        Assert.Equal(0, await sessions.BlockedAsync(held, Token));
    }
}
