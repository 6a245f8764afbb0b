namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>What is made of the rows of queries, and when a schema is made: without a server, with rows by hand.</summary>
public sealed class OracleRowTests
{
    private readonly StandInStore _store = new(null, "SERDICA_WF", null);
    private readonly List<(string Call, IReadOnlyList<object?> Values)> _calls = [];

    public OracleRowTests() =>
        _store.Factory.Before = (call, values) =>
        {
            _calls.Add((call, values));
            return Task.CompletedTask;
        };

    [Fact]
    public async Task Dead_letters_are_filtered_here_over_ever_more_of_them()
    {
        var instance = Seam.Instance("ab");
        object?[][] letters =
        [
            Letter(Seam.Signal(instance.Id, "no"), "other"),
            Letter(Seam.Signal(instance.Id), "detail"),
            Letter(Seam.Signal(Guid.NewGuid()), "orphan"),
        ];
        _store.Factory.Rows = script => script == "find" ? [Row(instance)] : [.. letters.Take((int)(long)_calls[^1].Values[0]!)];
        var query = new DeadLetterQuery { Limit = 1, Name = "go", InstanceIsOpen = true };

        var letter = Assert.Single(await _store.Connect().ListDeadLettersAsync(query, Token));

        Assert.Equal([1L, 1_000L], _calls.Where(call => call.Call == "dead-letters").Select(call => call.Values[0]));
        Assert.Equal(
            ("go", "\"go\"", SignalKind.Activity, 4, DeadLetterReason.Refused, "detail", DateTimeOffset.UnixEpoch.AddSeconds(3)),
            (
                letter.Signal.Name,
                Encoding.UTF8.GetString(letter.Signal.Payload),
                letter.Signal.Kind,
                letter.Signal.Attempt,
                letter.Reason,
                letter.Detail,
                letter.DeadAt
            )
        );
        Assert.Equal(letters[1].Take(2), [OracleText.Raw(letter.Signal.Id), OracleText.Raw(letter.Signal.InstanceId)]);
    }

    [Fact]
    public async Task Instance_is_read_from_its_columns_and_its_content()
    {
        var instance = Seam.Instance("ab", WaitKinds.Timer) with
        {
            ParentId = Guid.NewGuid(),
            Version = 5,
            CreatedAt = DateTimeOffset.UnixEpoch.AddSeconds(1),
            UpdatedAt = DateTimeOffset.UnixEpoch.AddSeconds(2),
        };
        _store.Factory.Rows = script => script == "find-by-key" ? [Row(instance)] : [];

        var read = await _store.Connect().FindByKeyAsync("ab", Token);

        Assert.Equal(instance, read! with { State = instance.State });
        Assert.Equal(OracleText.Raw("ab"), _calls.Single().Values[0]);
        Assert.Null(await _store.Connect().FindAsync(instance.Id, Token));
    }

    [Fact]
    public async Task Census_has_each_count_in_its_place()
    {
        var parked = Guid.NewGuid();
        _store.Factory.Rows = script =>
            script == "census"
                ? [[.. Range(10, 11).Select(count => (object)(decimal)count)]]
                : [["a"u8.ToArray(), 6m, 7m, 2m, OracleText.Raw(parked)], ["b"u8.ToArray(), 1m, 3m, 0m, null]];

        var census = await _store.Connect().TakeCensusAsync(Token);

        Assert.Equal([10, 11, 12, 13, 14], Enum.GetValues<InstanceStatus>().Select(status => census.Instances[status]));
        Assert.Equal(
            (15, 16, 17, 18, 19, 20),
            (census.SignalsDue, census.SignalsLater, census.DeadLetters, census.Messages, census.DeadMessages, census.Stuck)
        );
        Assert.Equal(new Dictionary<DefinitionVersion, long> { [new("a", 6)] = 7, [new("b", 1)] = 3 }, census.OpenByDefinition);
        Assert.Equal((new("a", 6), new ParkedCount(2, parked)), census.ParkedByDefinition.Select(row => (row.Key, row.Value)).Single());
    }

    [Theory]
    [InlineData(0, false, "migration-001 migration-002 create-queues package-spec package-body set-version")]
    [InlineData(1, false, "migration-002 create-queues package-spec package-body set-version")]
    [InlineData(2, false, "create-queues package-spec package-body set-version")]
    [InlineData(2, true, "")]
    [InlineData(3, true, "newer")]
    public async Task Schema_is_brought_to_this_build_by_what_it_lacks(int version, bool hasPackage, string made)
    {
        object? hash = null;
        _store.Factory.Rows = script => script.EndsWith("schema") || script == "schema-version" ? [[(decimal)version, hash]] : [];
        await using var backend = _store.Connect();
        if (hasPackage)
        {
            (version, var wanted) = (0, version);
            await backend.InitializeAsync(Token);
            (version, hash) = (wanted, _calls.Single(call => call.Call == "set-version").Values[1]);
            _calls.Clear();
        }

        var error = await Record.ExceptionAsync(() => backend.InitializeAsync(Token));

        string[] look = ["schema-version", "create-lock", "insert-lock", "lock-schema", "compile-errors"];
        Assert.Equal(made == "newer", error?.Message.Contains("newer build") ?? false);
        Assert.Equal(made.Replace("newer", ""), string.Join(' ', _calls.Select(call => call.Call).Except(look)));
        Assert.Equal(made.Length > 0, _calls.Exists(call => call.Call == "lock-schema"));
    }

    [Theory]
    [InlineData(0, "begin_upkeep")]
    [InlineData(1, "begin_upkeep sweep_messages sweep_messages coalesce-indexes")]
    public async Task Upkeep_is_of_the_process_that_has_begun_it_and_goes_on_while_messages_are_found(long begun, string calls)
    {
        var swept = new Queue<long>([500, 499]);
        _store.Factory.Rows = _ => [];
        _store.Factory.Answer = (call, _) => [call == "begin_upkeep" ? begun : swept.Dequeue()];
        var connections = new OracleConnections(_store.Options(), _store.Factory.Scripts);

        await new OracleUpkeep(connections, FromMinutes(1)).RunAsync(Token);
        Assert.Empty(_calls);
        await new OracleUpkeep(connections, TimeSpan.Zero).RunAsync(Token);

        Assert.Equal(calls, string.Join(' ', _calls.Select(call => call.Call)));
    }

    private static object?[] Letter(Signal signal, string detail) =>
        [
            OracleText.Raw(signal.Id),
            OracleText.Raw(signal.InstanceId),
            3_000_000m,
            (decimal)SignalKind.Activity,
            4m,
            (decimal)DeadLetterReason.Refused,
            OracleContents.Of(signal),
            OracleText.Raw(detail),
        ];

    private static object?[] Row(InstanceRecord instance) =>
        [
            OracleText.Raw(instance.Id),
            instance.ParentId is { } parent ? OracleText.Raw(parent) : null,
            OracleText.Raw(instance.BusinessKey!),
            (decimal)instance.Version,
            (decimal)instance.Status,
            (decimal)instance.Waits,
            1_000_000m,
            2_000_000m,
            OracleContents.Of(instance),
        ];
}
