namespace Serdica.Perf.Compliance;

/// <summary>No statement of the PostgreSQL backend names a bucket on plain PostgreSQL; each hot one names one on Citus.</summary>
public sealed partial class BucketTests
{
    /// <summary>Migrations, and what is asked now and then of all buckets.</summary>
    private static readonly string[] OfAllBuckets =
    [
        "census",
        "census-buckets",
        "citus-plans",
        "dead-letters",
        "due-messages",
        "due-signals",
        "find-closed",
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
        string[] onCitusAlone = ["census-buckets", "citus-plans", "due-messages", "due-signals"];
        string[] texts = [scripts.FilteredClaim, .. ScriptNames().Except(onCitusAlone).Select(name => scripts[name])];

        Assert.NotEmpty(texts);
        Assert.DoesNotContain(texts, static text => Regex.IsMatch(text, "bucket|citus|shards|--plain|--filter"));
    }

    [Theory]
    [MemberData(nameof(Hot))]
    public void Hot_statement_names_one_bucket(string name)
    {
        var scripts = new PostgreSqlScripts("s", isDistributed: true);
        var text = name == "claim, filtered" ? scripts.FilteredClaim : scripts[name];
        var others = Parameter().Matches(text).Select(static match => int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture));
        var bucket = Invariant($"${others.Max()}");

        foreach (Match table in Table().Matches(text))
        {
            var (into, alias) = (table.Groups[1].Value, table.Groups[2].Value);
            if (into == "insert into")
                Assert.Matches(@"insert into s\.\w+(?: as \w+)? \([^)]*\bbucket\b", text);
            else
                Assert.Contains($"{alias}.bucket = {bucket}", text, StringComparison.Ordinal);
        }

        Assert.NotEmpty(Table().Matches(text));
        Assert.DoesNotContain("clock_timestamp", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Buckets_are_different_and_each_slot_has_one()
    {
        Assert.Equal(Buckets.Count, Buckets.All.Distinct().Count());

        var slots = Enumerable.Range(0, 10_000).Select(static _ => Buckets.Of(SortableId.Next(DateTimeOffset.UtcNow))).ToHashSet();
        var keys = Enumerable.Range(0, 10_000).Select(static i => Buckets.Of($"order-{i}")).ToHashSet();

        Assert.Equal(Buckets.All.Order(), slots.Order());
        Assert.Equal(Buckets.All.Order(), keys.Order());
    }

    [Fact]
    public void Id_without_the_slot_of_its_key_or_starter_is_refused()
    {
        var keyed = Seam.Instance("key");
        var starter = SortableId.Next(DateTimeOffset.UtcNow);
        var stranger = Enumerable
            .Repeat(0, 1_000)
            .Select(static _ => SortableId.Next(DateTimeOffset.UtcNow))
            .First(id => Buckets.Of(id) != Buckets.Of(keyed.Id) && Buckets.Of(id) != Buckets.Of(starter));

        Assert.Equal(Buckets.Of("key"), Buckets.OfKeyed(keyed));
        Assert.Throws<InvalidOperationException>(() => Buckets.OfKeyed(keyed with { Id = stranger }));
        Assert.Equal(Buckets.Of(starter), Buckets.OfBoth(starter, SortableId.NextBeside(DateTimeOffset.UtcNow, starter)));
        Assert.Throws<InvalidOperationException>(() => Buckets.OfBoth(starter, stranger));
    }

    private static IEnumerable<string> ScriptNames()
    {
        const string Prefix = "Serdica.Perf.Workflows.PostgreSql.Scripts.";
        return typeof(PostgreSqlWorkflowBackend)
            .Assembly.GetManifestResourceNames()
            .Where(static name => name.StartsWith(Prefix, StringComparison.Ordinal))
            .Select(static name => name[Prefix.Length..^".sql".Length]);
    }

    [GeneratedRegex(@"\$(\d+)")]
    private static partial Regex Parameter();

    [GeneratedRegex(@"\b(insert into|delete from|update|from|join|using) s\.\w+(?: as)? (\w+)")]
    private static partial Regex Table();
}
