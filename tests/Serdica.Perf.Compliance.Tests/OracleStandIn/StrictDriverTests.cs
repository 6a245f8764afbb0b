namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>
/// The backend's C# side on the driver that is as strict as Oracle's, with answers by hand: what of the stand-in needs no server.
/// </summary>
public sealed class StrictDriverTests
{
    private const long Now = 1_700_000_000_000_000;

    private readonly StandInStore _store = new(null, "SERDICA_WF", null);

    private StandInFactory Factory => _store.Factory;

    [Fact]
    public async Task Every_call_of_the_package_goes_through_the_driver_and_is_committed_by_it()
    {
        await using var session = await new OracleConnections(_store.Options(), Factory.Scripts).OpenAsync(Token);
        var statements = StandInScripts.Procedures(Factory.Scripts).Select(procedure => procedure.Statement).ToList();
        foreach (var statement in statements)
        {
            var results = statement.Binds.Where(bind => bind.Direction == ParameterDirection.Output).ToList();
            Factory.Answer = (_, _) => [.. results.Select(bind => bind.Type == DbType.Int64 ? (object)7L : new byte[bind.Size])];

            var output = await session.ExecuteAsync(statement, new object?[statement.Binds.Length - results.Count], Token);

            for (var i = 0; i < results.Count; i++)
                Assert.Equal(
                    results[i].Type == DbType.Int64 ? 7 : OracleBind.MaxRaw,
                    results[i].Type == DbType.Int64 ? output.Number(i) : output.Bytes(i).Length
                );
        }

        Assert.Equal((10, 10), (statements.Count, Factory.Commits));
    }

    [Fact]
    public async Task Submission_is_one_call_and_a_turn_is_a_claim_a_write_and_one_commit()
    {
        var instance = Seam.Instance("key");
        var signal = Seam.Signal(instance.Id);
        byte[][] contents = [OracleContents.Of(instance), OracleContents.Of(signal)];
        var claimed = Invariant(
            $$"""
            [{"id":"{{OracleText.Hex(instance.Id)}}","key":"{{OracleText.Hex("key")}}","version":0,"status":{{(int)instance.Status}},
            "waits":{{(int)instance.Waits}},"created":{{Now}},"updated":{{Now}},"content":{{contents[0].Length}},"signals":[
            {"id":"{{OracleText.Hex(signal.Id)}}","due":{{Now}},"kind":{{(int)signal.Kind}},"attempt":0,"content":{{contents[1].Length}}}]}]
            """
        );
        var calls = new List<string>();
        var conflict = 0L;
        Factory.Answer = (call, _) =>
        {
            calls.Add(call);
            return call == "claim_batch"
                ? [Now, -1L, 0L, Encoding.ASCII.GetBytes(claimed), contents.SelectMany(content => content).ToArray()]
                : [Now, conflict, "[]"u8.ToArray()];
        };
        await using var backend = _store.Connect();

        await backend.SubmitAsync(Seam.Start(instance));
        Assert.Equal((1, 1), (Factory.RoundTrips, Factory.Commits));

        Assert.Equal(["go"], await backend.TakeAsync());
        Assert.Equal(["write_batch", "claim_batch", "write_batch"], calls);
        Assert.Equal((4, 2), (Factory.RoundTrips, Factory.Commits));

        conflict = 1;
        Assert.True((await backend.ProcessAsync(10, Seam.Count, Token)).Conflict);
        Assert.Equal(2, Factory.Commits);

        var number = 60;
        Factory.Before = (call, _) => call == "write_batch" ? throw new StandInException(number, "so") : Task.CompletedTask;
        Assert.True((await backend.ProcessAsync(10, Seam.Count, Token)).Conflict);

        number = 1;
        var error = await BackendFails(() => backend.ProcessAsync(10, Seam.Count, Token));
        Assert.Equal((false, true, BackendFailure.Conflict), (error.IsTransient, error.NothingWritten, error.Failure));
    }

    [Fact]
    public async Task Message_over_the_limit_is_refused_alone()
    {
        var entered = new TaskCompletionSource();
        var leave = new TaskCompletionSource();
        Factory.Before = (_, _) =>
        {
            entered.TrySetResult();
            return leave.Task;
        };
        Factory.Answer = (_, _) => [Now, 0L, "[]"u8.ToArray()];
        await using var sender = new MessageSender(_store.Connect());

        // What comes while the first is being written shares the next commit.
        var first = sender.SendAsync([1], cancellationToken: Token);
        await entered.Task;
        var rest = Range(7_996, 5).Select(bytes => sender.SendAsync(new byte[bytes], cancellationToken: Token)).ToList();
        leave.SetResult();

        var error = await BackendFails(() => rest[4]);
        Assert.Equal((false, true, BackendFailure.Refused), (error.IsTransient, error.NothingWritten, error.Failure));
        Assert.Contains("8000 bytes", error.Message);
        await Task.WhenAll([first, .. rest[..4]]);
    }

    [Theory]
    [InlineData("commit", BackendFailure.Timeout)]
    [InlineData("rollback", BackendFailure.ConnectionLost)]
    public async Task End_of_a_transaction_that_the_server_does_not_answer_is_given_up(string how, BackendFailure failure)
    {
        Factory.At = name => name == how ? new TaskCompletionSource().Task : Task.CompletedTask;
        Factory.Answer = (_, _) =>
            how == "commit" ? [Now, -1L, 0L, "[]"u8.ToArray(), Array.Empty<byte>()] : throw new StandInException(12592, "bad packet");
        await using var backend = new OracleWorkflowBackend(_store.Options() with { CommandTimeout = FromMilliseconds(20) });

        var error = await BackendFails(() => backend.TakeAsync().InTime());

        Assert.Equal((true, false, failure), (error.IsTransient, error.NothingWritten, error.Failure));
        await Factory.Cleared.Task.InTime();
    }

    [Fact]
    public async Task Hint_that_a_stopping_process_has_taken_is_left_for_another()
    {
        var (entered, comes, calls) = (new TaskCompletionSource(), new TaskCompletionSource(), new List<string>());
        Factory.Before = (call, _) =>
        {
            calls.Add(call);
            entered.TrySetResult();
            return comes.Task;
        };
        Factory.Answer = (_, _) => [1L];
        var backend = _store.Connect();
        var wait = backend.WaitForWorkAsync(HangGuard.Limit, Token);
        await entered.Task;

        var end = backend.DisposeAsync();
        comes.SetResult();
        await end;

        Assert.Equal(["await_work", "notify_work"], calls);
        await wait.InTime();
    }

    [Fact]
    public async Task Rollback_that_fails_by_the_network_hides_no_error_and_keeps_no_connection()
    {
        Factory.At = how => how == "rollback" ? throw new IOException("Broken pipe.") : Task.CompletedTask;
        Factory.Answer = (_, _) => throw new StandInException(600, "internal error code");

        var error = await BackendFails(() => _store.Connect().TakeAsync());

        Assert.Equal(("ORA-00600", 0), (error.Code, Factory.Open));
    }

    [Fact]
    public async Task Connection_that_breaks_when_its_call_is_cancelled_does_not_go_back_into_the_pool()
    {
        using var cancel = new CancellationTokenSource();
        Factory.Before = async (_, _) =>
        {
            await cancel.CancelAsync();
            throw new StandInException(12570, "packet reader failure");
        };

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => _store.Connect().PurgeAsync(TimeSpan.Zero, cancel.Token));

        Assert.True(Factory.Cleared.Task.IsCompleted);
    }

    [Theory]
    [InlineData("inspect-container", 0, "Inspection", false)]
    [InlineData("schema-version", 0, "Set-up and use", false)]
    [InlineData("schema-version", 1653, "Set-up and use", false)]
    [InlineData("schema-version", 1031, "Set-up and use", true)]
    public async Task Inspection_reports_any_failure_beside_what_it_has_found(string script, int number, string check, bool lacksGrants)
    {
        var factory = Factory.ForAnyPrefix();
        factory.Before = (name, _) =>
            name != script ? Task.CompletedTask : throw (number == 0 ? new InvalidCastException() : new StandInException(number, "so"));

        var findings = await OracleInspection.InspectAsync(_store.Options() with { Factory = factory }, Token);

        Assert.Contains(findings, finding => finding is { Check: "Server", Detail: "stand-in" });
        var problem = findings.First(finding => finding.Problem);
        Assert.Equal((check, lacksGrants), (problem.Check, problem.Detail.Contains("GRANT")));
        Assert.Contains(number == 0 ? "cast" : $"ORA-{number:00000}", problem.Detail);
    }

    [Fact]
    public async Task Connection_string_that_the_driver_rejects_is_reported_by_its_keys_alone()
    {
        Factory.At = _ => throw new ArgumentException("'unused' is no value for a key.");

        var error = await BackendFails(() => _store.Connect().InitializeAsync(Token));

        Assert.Contains(" Keys used: user id, password, data source, enlist, ", error.Message);
        Assert.DoesNotContain("unused", error.Message);
    }

    [Fact]
    public async Task Value_without_a_size_and_one_longer_than_the_last_are_refused()
    {
        await using var connection = Factory.CreateConnection();
        await using var command = connection.CreateCommand();
        command.CommandText = Factory.Scripts["write-batch"];
        var results = command.CreateParameter();
        (results.ParameterName, results.Direction, results.DbType) = ("p_results", ParameterDirection.Output, DbType.Binary);
        command.Parameters.Add(results);
        Factory.Answer = (_, _) => ["[]"u8.ToArray()];

        Assert.Equal(6502, (await Assert.ThrowsAsync<StandInException>(() => command.ExecuteNonQueryAsync(Token))).Number);
        results.Size = 100;
        Assert.Equal(-1, await command.ExecuteNonQueryAsync(Token));
        Assert.Equal(2, results.Size);
        Factory.Answer = (_, _) => ["[{}]"u8.ToArray()];
        Assert.Equal(6502, (await Assert.ThrowsAsync<StandInException>(() => command.ExecuteNonQueryAsync(Token))).Number);
    }

    [Fact]
    public void Type_that_is_set_last_decides_what_comes_out()
    {
        var parameter = new StandInParameter { Size = 10, OracleDbType = "Raw", DbType = DbType.Binary };
        parameter.Receive(new byte[1]);
        Assert.IsType<byte[]>(parameter.Value);

        parameter.OracleDbType = "Raw";
        parameter.Receive(new byte[1]);
        Assert.IsType<StandInStruct>(parameter.Value);
    }

}
