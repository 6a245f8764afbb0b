namespace Serdica.Perf.Compliance;

/// <summary>How rows of a claim become instances with their signals, in orders that a server only gives when claims race.</summary>
public sealed class ClaimedRowsTests
{
    private static readonly DateTime Noon = new(2026, 1, 1, 12, 0, 0, DateTimeKind.Utc);
    private static readonly Guid[] Ids = [.. Range(1, 9).Select(number => new Guid(number, 0, 0, new byte[8]))];

    [Fact]
    public async Task Claim_without_rows_has_nothing()
    {
        var rows = await ReadAsync();

        Assert.Empty(rows.Batch.Instances);
        Assert.Empty(rows.Places);
        Assert.Empty(rows.Gapped);
        Assert.Equal((0, false, DateTime.MinValue), (rows.Signals, rows.IsCut, rows.NewestDue));
    }

    [Fact]
    public async Task Row_has_its_signal_and_its_instance()
    {
        var rows = await ReadAsync(
            Row(Ids[0], Ids[5], -3) with { Attempt = 4, Kind = SignalKind.Activity, Name = "charge", Payload = [1, 2], State = [7] }
        );

        var claimed = Assert.Single(rows.Batch.Instances);
        var (instance, signal) = (claimed.Instance, Assert.Single(claimed.Signals));
        Assert.Equal((Noon, Noon.AddMinutes(-3)), (rows.Batch.Now.UtcDateTime, rows.NewestDue));
        Assert.Equal((Ids[0], Ids[5], SignalKind.Activity), (signal.InstanceId, signal.Id, signal.Kind));
        Assert.Equal(("charge", 4), (signal.Name, signal.Attempt));
        Assert.Equal(Noon.AddMinutes(-3), signal.Due.At!.Value.UtcDateTime);
        Assert.Equal([1, 2], signal.Payload);
        Assert.Equal((Ids[0], 6L, "order", 2), (instance.Id, instance.Version, instance.Definition, instance.DefinitionVersion));
        Assert.Equal([7], instance.State);
        Assert.Equal((null, null, null), (instance.ParentId, instance.BusinessKey, instance.Progress));
        Assert.Equal("(0,1)", rows.Places[Ids[0]]);
    }

    /// <summary>Only one row of an instance has its state, and it need not be the first.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Signals_come_in_order_whichever_row_has_the_state(int withState)
    {
        ClaimedRow[] read = [Row(Ids[0], Ids[3], -1), Row(Ids[0], Ids[5], -2), Row(Ids[0], Ids[4], -2)];
        var numbered = read.Select((row, i) => row with { Number = (i + 3 - withState) % 3 + 1, State = i == withState ? [7] : null });

        var rows = await ReadAsync([.. numbered]);

        Assert.Equal([Ids[4], Ids[5], Ids[3]], Assert.Single(rows.Batch.Instances).Signals.Select(signal => signal.Id));
        Assert.Equal((3, Noon.AddMinutes(-1)), (rows.Signals, rows.NewestDue));
        Assert.Empty(rows.Gapped);
    }

    [Fact]
    public async Task Two_signals_of_an_instance_are_put_in_order_too()
    {
        var rows = await ReadAsync(Row(Ids[0], Ids[3], -1) with { State = [7] }, Row(Ids[0], Ids[4], -2, number: 2));

        Assert.Equal([Ids[4], Ids[3]], rows.Batch.Instances[0].Signals.Select(signal => signal.Id));
    }

    [Fact]
    public async Task Instance_of_which_a_signal_went_to_somebody_else_before_others_is_read_afterwards()
    {
        var rows = await ReadAsync(
            Row(Ids[0], Ids[3], -1, number: 3),
            Row(Ids[1], Ids[4], -4) with { State = [8] },
            Row(Ids[0], Ids[5], -2, number: 2),
            Row(Ids[2], Ids[6], -3, number: 2),
            Row(Ids[1], Ids[7], -3, number: 3)
        );

        Assert.Equal([(Ids[0], Ids[3]), (Ids[2], Ids[6]), (Ids[1], Ids[7])], rows.Gapped.Select(signal => (signal.InstanceId, signal.Id)));
        Assert.Equal([Ids[1]], rows.Batch.Instances.Select(claimed => claimed.Instance.Id));
        Assert.Equal([Ids[0], Ids[1], Ids[2]], rows.Places.Keys.Order());

        await rows.ReadGappedAsync(Table(Instance(Ids[0], [9]), Instance(Ids[2], [6]), Instance(Ids[1], [8])), Token);

        Assert.Equal(
            [(Ids[1], 8), (Ids[0], 9), (Ids[2], 6)],
            rows.Batch.Instances.Select(claimed => (claimed.Instance.Id, (int)claimed.Instance.State[0]))
        );
        Assert.Equal(
            [Ids[4], Ids[7], Ids[5], Ids[3], Ids[6]],
            rows.Batch.Instances.SelectMany(claimed => claimed.Signals).Select(signal => signal.Id)
        );
        Assert.Equal(5, rows.Signals);
    }

    [Fact]
    public async Task Claim_that_its_bytes_have_cut_says_so()
    {
        Assert.True((await ReadAsync(Row(Ids[0], Ids[3], -1) with { State = [7], IsCut = true })).IsCut);
        Assert.False((await ReadAsync(Row(Ids[0], Ids[3], -1) with { State = [7] })).IsCut);
    }

    [Fact]
    public async Task Claims_after_one_that_its_bytes_have_cut_ask_for_fewer_signals_and_for_more_with_each_full_one()
    {
        var (size, request) = (new ClaimSize(), new ClaimRequest(9));
        var cut = await ReadAsync(Row(Ids[0], Ids[1], -1) with { State = [7], IsCut = true });
        var full = await ReadAsync([.. Ids.Select((id, i) => Row(Ids[0], id, -1, i + 1) with { State = i == 0 ? [7] : null })]);
        var asked = new List<int>();

        foreach (var rows in (ClaimedRows[])[cut, cut, cut, .. Repeat(full, 9)])
        {
            asked.Add(size.Of(request));
            Assert.True(size.Claimed(asked[^1], request, rows));
        }

        Assert.Equal([9, 2, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9], asked);
    }

    private static Task<ClaimedRows> ReadAsync(params ClaimedRow[] rows) => ClaimedRows.ReadAsync(Table([.. rows.Select(Values)]), Token);

    /// <summary>As claim.sql returns it.</summary>
    private static object?[] Values(ClaimedRow row) =>
        [
            Noon,
            row.InstanceId,
            row.SignalId,
            Noon.AddMinutes(row.DueInMinutes),
            row.Attempt,
            (short)row.Kind,
            row.Name,
            row.Payload,
            .. Instance(row.InstanceId, row.State)[1..],
            "(0,1)",
            row.IsCut,
            row.Number,
        ];

    /// <summary>As held.sql returns it: the id, then the columns of an instance.</summary>
    private static object?[] Instance(Guid id, byte[]? state) =>
        [
            id,
            null,
            6L,
            Noon.AddHours(-1),
            2,
            (short)InstanceStatus.Waiting,
            (short)WaitKinds.External,
            "order",
            "paid",
            null,
            state,
            null,
            null,
        ];

    private static DataTableReader Table(params object?[][] rows)
    {
        using var table = new DataTable();
        foreach (var column in Range(0, rows.Length == 0 ? 0 : rows[0].Length))
            table.Columns.Add($"{column}", typeof(object));
        foreach (var row in rows)
            table.Rows.Add(row);
        return table.CreateDataReader();
    }

    private static ClaimedRow Row(Guid instanceId, Guid signalId, int dueInMinutes, long number = 1) =>
        new(instanceId, signalId, dueInMinutes, number);

    private sealed record ClaimedRow(Guid InstanceId, Guid SignalId, int DueInMinutes, long Number)
    {
        public int Attempt { get; init; }

        public SignalKind Kind { get; init; }

        public string Name { get; init; } = "go";

        public byte[] Payload { get; init; } = [];

        /// <summary>Null in all rows of an instance but one.</summary>
        public byte[]? State { get; init; }

        public bool IsCut { get; init; }
    }
}
