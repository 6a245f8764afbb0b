namespace Serdica.Perf.Compliance;

/// <summary>No statement of the PostgreSQL backend names a bucket on plain PostgreSQL; each hot one names one on Citus.</summary>
public sealed partial class BucketTests
{
    /// <summary>Migrations, and what is asked now and then of all buckets.</summary>
    private static readonly string[] OfAllBuckets =
    [
        "census",
        "bucket-nodes",
        "census-buckets",
        "citus-plans",
        "dead-letters",
        "due-messages",
        "due-signals",
        "find-closed",
        "incarnation",
        "late",
        "next-due",
        "next-message",
        "pin-plans",
        "requeue",
        "send-once",
    ];

    public static TheoryData<string> Hot =>
        [
            .. ScriptNames()
                .Except(OfAllBuckets)
                .Where(static name => !Regex.IsMatch(name, "^(migration|statistics|wait|vacuum)-?|^writers$"))
                .Append("claim, filtered"),
        ];

    [Fact]
    public void Plain_postgresql_has_nothing_of_buckets()
    {
        var scripts = new PostgreSqlScripts("s");
        string[] onCitusAlone = ["bucket-nodes", "census-buckets", "citus-plans", "due-messages", "due-signals"];
        string[] texts = [scripts.FilteredClaim, .. ScriptNames().Except(onCitusAlone).Select(name => scripts[name])];

        Assert.NotEmpty(texts);
        Assert.DoesNotContain(texts, static text => Regex.IsMatch(text, "bucket|citus|shards|--plain|--filter"));
    }

    /// <summary>Only servers of before November 2025 need it, so no test on a later one would miss it.</summary>
    [Fact]
    public void Claim_asks_again_whether_what_it_takes_is_due()
    {
        var scripts = new PostgreSqlScripts("s");

        foreach (var text in (string[])[scripts["claim"], scripts.FilteredClaim])
            Assert.Matches(@"delete from s\.signal s\s+using due d\s+where [^;]*\bs\.due_at <= ", text);
    }

    [Theory]
    [MemberData(nameof(Hot))]
    public void Hot_statement_names_one_bucket(string name)
    {
        var scripts = new PostgreSqlScripts("s", new Buckets(8));
        var text = name == "claim, filtered" ? scripts.FilteredClaim : scripts[name];
        var others = Parameter().Matches(text).Select(static match => int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture));
        var bucket = Invariant($"${others.Max()}");

        foreach (Match table in Table().Matches(text))
        {
            var (into, alias) = (table.Groups[1].Value, table.Groups[2].Value);
            if (into == "insert into")
                Assert.Matches(@"insert into s\.\w+(?: as \w+)? \([^)]*\bbucket\b", text);
            else
                Assert.Contains($"{alias}.bucket = {bucket}", text);
        }

        Assert.NotEmpty(Table().Matches(text));
        Assert.DoesNotContain("clock_timestamp", text);
    }

    public static TheoryData<int> Counts => [.. Buckets.Counts];

    [Theory]
    [MemberData(nameof(Counts))]
    public void Buckets_are_different_and_each_slot_has_one(int count)
    {
        var buckets = new Buckets(count);

        var slots = Range(0, 10_000).Select(_ => buckets.Of(SortableId.Next(DateTimeOffset.UtcNow))).ToHashSet();
        var keys = Range(0, 10_000).Select(i => buckets.Of($"order-{i}")).ToHashSet();

        Assert.Equal((count, count), (buckets.Count, buckets.All.Distinct().Count()));
        Assert.Equal(buckets.All.Order(), slots.Order());
        Assert.Equal(buckets.All.Order(), keys.Order());
    }

    /// <summary>The engine groups calls by part before the backend sees them.</summary>
    [Theory]
    [MemberData(nameof(Counts))]
    public void Calls_that_the_engine_groups_are_of_one_bucket(int count)
    {
        var buckets = new Buckets(count);
        var ids = Range(0, 1_000).Select(static _ => SortableId.Next(DateTimeOffset.UtcNow));

        var parts = ids.GroupBy(id => SortableId.SlotOf(id) % count).ToList();

        Assert.Equal(count, parts.Count);
        EachItem.Holds(parts, part => Assert.Single(part.Select(buckets.Of).Distinct()));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(64)]
    public void Number_that_does_not_divide_the_shards_is_refused(int count)
    {
        var error = Assert.Throws<ArgumentException>(() =>
            new PostgreSqlWorkflowBackend(
                new PostgreSqlBackendOptions
                {
                    ConnectionString = "Host=coordinator",
                    Distribution = PostgreSqlDistribution.Citus,
                    Buckets = count,
                }
            )
        );

        Assert.Equal($"PostgreSqlBackendOptions.Buckets is {count}; it must be one of 1, 2, 4, 8, 16, 32.", error.Message);
    }

    [Fact]
    public void Id_without_the_slot_of_its_key_or_starter_is_refused()
    {
        var buckets = new Buckets(8);
        var keyed = Seam.Instance("key");
        var starter = SortableId.Next(DateTimeOffset.UtcNow);
        var stranger = Repeat(0, 1_000)
            .Select(static _ => SortableId.Next(DateTimeOffset.UtcNow))
            .First(id => buckets.Of(id) != buckets.Of(keyed.Id) && buckets.Of(id) != buckets.Of(starter));

        Assert.Equal(buckets.Of("key"), buckets.OfKeyed(keyed));
        Assert.Throws<InvalidOperationException>(() => buckets.OfKeyed(keyed with { Id = stranger }));
        Assert.Equal(buckets.Of(starter), buckets.OfBoth(starter, SortableId.NextBeside(DateTimeOffset.UtcNow, starter)));
        Assert.Throws<InvalidOperationException>(() => buckets.OfBoth(starter, stranger));
    }

    [Fact]
    public void Rows_are_parted_in_ascending_order_of_their_buckets()
    {
        var parts = Buckets.Part([8, 3, 1, 3], static row => (short)row);

        Assert.Equal("1; 3, 3; 8", string.Join("; ", parts.Select(static part => string.Join(", ", part))));
    }

    private static IEnumerable<string> ScriptNames()
    {
        const string Prefix = "Serdica.Perf.Workflows.PostgreSql.Scripts.";
        return typeof(PostgreSqlWorkflowBackend)
            .Assembly.GetManifestResourceNames()
            .Where(static name => name.StartsWith(Prefix))
            .Select(static name => name[Prefix.Length..^".sql".Length]);
    }

    [GeneratedRegex(@"\$(\d+)")]
    private static partial Regex Parameter();

    [GeneratedRegex(@"\b(insert into|delete from|update|from|join|using) s\.\w+(?: as)? (\w+)")]
    private static partial Regex Table();
}
