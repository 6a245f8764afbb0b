namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>The rules by which the shipped scripts run on IvorySQL. They need no server.</summary>
public sealed class IvorySqlRuleTests
{
    private static readonly OracleScripts Scripts = new("SERDICA_WF");

    /// <summary>Translating fails unless each rule applies as often as it says.</summary>
    [Fact]
    public void Every_rule_applies_to_the_shipped_scripts_as_often_as_it_says()
    {
        var changed = Scripts.Names.Where(name => IvorySqlRule.Translate(name, Scripts[name]) != Scripts[name]);

        Assert.Equal(
            "census, coalesce-indexes, create-lock, create-queues, drop, insert-lock, migration-001, migration-002, package-body",
            string.Join(", ", changed.Order(StringComparer.Ordinal))
        );
        Assert.DoesNotContain(IvorySqlRule.All.SkipLast(1), rule => rule.Counts.Length == 0);
    }

    [Theory]
    [InlineData("    p_conflict := SQL%ROWCOUNT;", "SQL%ROWCOUNT")]
    [InlineData("    SELECT 1 INTO l_outcome FROM dual;", "SELECT INTO without STRICT")]
    [InlineData("    l_outcome := l_item.get_Number('new');", "methods of JSON_OBJECT_T")]
    [InlineData("    l_outcome := l_item.get_Type('new');", "construct without a rule")]
    [InlineData("    FORALL i IN 1 .. 2 DELETE FROM dual;", "construct without a rule")]
    [InlineData("    l_outcome := SQL%FOUND;", "construct without a rule")]
    [InlineData("    DBMS_SESSION.SLEEP(1);", "construct without a rule")]
    public void New_construct_fails_and_names_its_rule(string line, string rule)
    {
        var text = Scripts["package-body"].Replace("    p_conflict := 0;", $"    p_conflict := 0;\n{line}");

        var error = Assert.Throws<InvalidOperationException>(() => IvorySqlRule.Translate("package-body", text));

        Assert.StartsWith($"The rule '{rule}' applies ", error.Message);
        Assert.NotEqual(text, IvorySqlRule.Translate("package-body", text, isShipped: false));
    }

    [Fact]
    public void Construct_that_is_gone_fails_too()
    {
        var text = Scripts["package-body"].Replace("FOR UPDATE OF d.dead_us", "FOR UPDATE");

        var error = Assert.Throws<InvalidOperationException>(() => IvorySqlRule.Translate("package-body", text));

        Assert.StartsWith("The rule 'FOR UPDATE OF a column' applies 0 times to package-body.sql", error.Message);
    }
}
