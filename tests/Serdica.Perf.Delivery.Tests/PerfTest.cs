using System.Reflection;
using Serdica.Perf.Suite;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>A test of a project that the pipelines select from, as <c>dotnet test --filter</c> sees it.</summary>
internal sealed partial record PerfTest(string FullyQualifiedName, IReadOnlyList<string> Categories)
{
    public static IReadOnlyList<PerfTest> Of(string project) =>
        [
            .. Assembly
                .Load(project)
                .GetTypes()
                .Where(type => !type.IsAbstract)
                .SelectMany(type =>
                    type.GetMethods()
                        .Where(method => method.IsDefined(typeof(FactAttribute)))
                        .Select(method => new PerfTest($"{type.FullName}.{method.Name}", CategoriesOf(method)))
                ),
        ];

    /// <summary>Understands terms of the two properties, joined by <c>&amp;</c> and <c>|</c>, without brackets.</summary>
    public bool Matches(string filter) => filter.Split('|').Any(alternative => alternative.Split('&').All(MatchesTerm));

    private static List<string> CategoriesOf(MethodInfo method) =>
        [.. method.GetCustomAttributes<TraitAttribute>().Where(trait => trait.Name == PerfCategory.Name).Select(trait => trait.Value)];

    private bool MatchesTerm(string term)
    {
        var parts = Term().Match(term);
        if (!parts.Success)
            throw new FormatException($"'{term}' is no term of a filter that is understood.");

        var value = parts.Groups["value"].Value;
        IEnumerable<string> own = parts.Groups["property"].Value == "Category" ? Categories : [FullyQualifiedName];
        var found = parts.Groups["operator"].Value.EndsWith('~')
            ? own.Any(text => text.Contains(value, OrdinalIgnoreCase))
            : own.Contains(value, StringComparer.OrdinalIgnoreCase);
        return found != parts.Groups["operator"].Value.StartsWith('!');
    }

    [GeneratedRegex("^(?<property>Category|FullyQualifiedName)(?<operator>!?[=~])(?<value>[^=~]+)$")]
    private static partial Regex Term();
}
