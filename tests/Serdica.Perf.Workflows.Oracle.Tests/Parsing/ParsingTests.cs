namespace Serdica.Perf.Workflows.Oracle.Tests.Parsing;

/// <summary>Every script has the syntax of PL/SQL, those within strings too.</summary>
public sealed partial class ParsingTests
{
    [Fact]
    public async Task Every_script_parses()
    {
        var cancellationToken = Token;
        await PlSqlParser.RequireAsync(cancellationToken);
        var texts = Scripts.All.Names.ToDictionary(name => $"{name}.sql", name => Scripts.All[name]);
        foreach (var (name, text) in texts.ToList())
        {
            var inner = Dynamic().Matches(text);
            for (var i = 0; i < inner.Count; i++)
                texts.Add($"{name}-{i + 1}", inner[i].Groups[1].Value);
        }

        var errors = await PlSqlParser.ParseAsync(texts, cancellationToken);

        Assert.True(texts.Count > Scripts.All.Names.Count() + 15, "Statements within strings were not found.");
        Assert.True(errors.Count == 0, string.Join('\n', errors.SelectMany(file => file.Value.Select(error => $"{file.Key} {error}"))));
    }

    [Fact]
    public async Task Parser_finds_what_is_wrong()
    {
        var cancellationToken = Token;
        await PlSqlParser.RequireAsync(cancellationToken);

        var errors = await PlSqlParser.ParseAsync(
            new Dictionary<string, string>
            {
                ["unended"] = "BEGIN\n  IF 1 = 1 THEN\n    NULL;\nEND;",
                ["trailing"] = "BEGIN\n  NULL;\nEND;\nEND;",
            },
            cancellationToken
        );

        Assert.Equal(["trailing", "unended"], errors.Keys.Order());
    }

    [GeneratedRegex("'((?:CREATE (?:UNIQUE )?(?:TABLE|INDEX)|DROP (?:TABLE|PACKAGE)|ALTER (?:TABLE|INDEX)) [^']*)'")]
    private static partial Regex Dynamic();
}
