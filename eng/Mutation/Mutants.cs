using System.Text.Json.Serialization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using static Microsoft.CodeAnalysis.CSharp.SyntaxFactory;

namespace Serdica.Perf.Mutation;

/// <summary>One change of the code.</summary>
/// <param name="Id">From 1; it switches the change on.</param>
/// <param name="What">The code before and after.</param>
internal sealed record Mutant(int Id, string Place, string What)
{
    /// <summary>The fate of a change that leaves no statement: like one that does not compile, it is no mutant.</summary>
    public const string None = "no statement";

    public string Fate { get; set; } = "survived";

    /// <summary>Makes the assembly that holds it; nothing where one assembly holds them all.</summary>
    [JsonIgnore]
    public Action? Prepare { get; init; }

    public bool IsKilled => Fate is "killed" or "timeout";

    /// <summary>Without its line, which moves when code above it changes.</summary>
    public string Key => $"{Place.Split(':')[0]} {What}";
}

/// <summary>Which changes there are of a piece of code: of the words of the language, and of a few calls of LINQ and of Math.</summary>
internal static class Mutations
{
    private static readonly (SyntaxKind, SyntaxKind) Less = (SyntaxKind.LessThanExpression, SyntaxKind.LessThanToken);
    private static readonly (SyntaxKind, SyntaxKind) LessOrEqual = (SyntaxKind.LessThanOrEqualExpression, SyntaxKind.LessThanEqualsToken);
    private static readonly (SyntaxKind, SyntaxKind) Greater = (SyntaxKind.GreaterThanExpression, SyntaxKind.GreaterThanToken);
    private static readonly (SyntaxKind, SyntaxKind) GreaterOrEqual = (
        SyntaxKind.GreaterThanOrEqualExpression,
        SyntaxKind.GreaterThanEqualsToken
    );

    private static readonly Dictionary<SyntaxKind, (SyntaxKind Expression, SyntaxKind Token)[]> Operators = new()
    {
        [SyntaxKind.LessThanExpression] = [LessOrEqual, GreaterOrEqual],
        [SyntaxKind.LessThanOrEqualExpression] = [Less, Greater],
        [SyntaxKind.GreaterThanExpression] = [GreaterOrEqual, LessOrEqual],
        [SyntaxKind.GreaterThanOrEqualExpression] = [Greater, Less],
        [SyntaxKind.EqualsExpression] = [(SyntaxKind.NotEqualsExpression, SyntaxKind.ExclamationEqualsToken)],
        [SyntaxKind.NotEqualsExpression] = [(SyntaxKind.EqualsExpression, SyntaxKind.EqualsEqualsToken)],
        [SyntaxKind.LogicalAndExpression] = [(SyntaxKind.LogicalOrExpression, SyntaxKind.BarBarToken)],
        [SyntaxKind.LogicalOrExpression] = [(SyntaxKind.LogicalAndExpression, SyntaxKind.AmpersandAmpersandToken)],
        [SyntaxKind.AddExpression] = [(SyntaxKind.SubtractExpression, SyntaxKind.MinusToken)],
        [SyntaxKind.SubtractExpression] = [(SyntaxKind.AddExpression, SyntaxKind.PlusToken)],
        [SyntaxKind.MultiplyExpression] = [(SyntaxKind.DivideExpression, SyntaxKind.SlashToken)],
        [SyntaxKind.DivideExpression] = [(SyntaxKind.MultiplyExpression, SyntaxKind.AsteriskToken)],
        [SyntaxKind.ModuloExpression] = [(SyntaxKind.MultiplyExpression, SyntaxKind.AsteriskToken)],
        [SyntaxKind.LeftShiftExpression] = [(SyntaxKind.RightShiftExpression, SyntaxKind.GreaterThanGreaterThanToken)],
        [SyntaxKind.RightShiftExpression] = [(SyntaxKind.LeftShiftExpression, SyntaxKind.LessThanLessThanToken)],
        [SyntaxKind.BitwiseAndExpression] = [(SyntaxKind.BitwiseOrExpression, SyntaxKind.BarToken)],
        [SyntaxKind.BitwiseOrExpression] = [(SyntaxKind.BitwiseAndExpression, SyntaxKind.AmpersandToken)],
    };

    private static readonly Dictionary<SyntaxKind, (SyntaxKind Expression, SyntaxKind Token)> Assignments = new()
    {
        [SyntaxKind.AddAssignmentExpression] = (SyntaxKind.SubtractAssignmentExpression, SyntaxKind.MinusEqualsToken),
        [SyntaxKind.SubtractAssignmentExpression] = (SyntaxKind.AddAssignmentExpression, SyntaxKind.PlusEqualsToken),
        [SyntaxKind.MultiplyAssignmentExpression] = (SyntaxKind.DivideAssignmentExpression, SyntaxKind.SlashEqualsToken),
        [SyntaxKind.DivideAssignmentExpression] = (SyntaxKind.MultiplyAssignmentExpression, SyntaxKind.AsteriskEqualsToken),
    };

    private static readonly Dictionary<string, string> Calls = new (string One, string Other)[]
    {
        ("Min", "Max"),
        ("All", "Any"),
        ("First", "Last"),
        ("FirstOrDefault", "LastOrDefault"),
        ("OrderBy", "OrderByDescending"),
        ("Order", "OrderDescending"),
        ("Skip", "Take"),
        ("SkipLast", "TakeLast"),
        ("MinBy", "MaxBy"),
        ("Floor", "Ceiling"),
        ("StartsWith", "EndsWith"),
        ("Union", "Intersect"),
        ("Increment", "Decrement"),
    }.SelectMany(pair => new[] { KeyValuePair.Create(pair.One, pair.Other), KeyValuePair.Create(pair.Other, pair.One) }).ToDictionary();

    /// <summary>What an expression could be in place of what it is.</summary>
    public static IEnumerable<ExpressionSyntax> Of(ExpressionSyntax expression, SemanticModel model)
    {
        switch (expression)
        {
            case BinaryExpressionSyntax binary when Operators.TryGetValue(binary.Kind(), out var others):
                // Texts can be added, and not be subtracted.
                if (model.GetTypeInfo(binary).Type?.SpecialType == SpecialType.System_String)
                    break;
                foreach (var (kind, token) in others)
                    yield return BinaryExpression(kind, binary.Left, Token(token).WithTriviaFrom(binary.OperatorToken), binary.Right);
                break;
            case BinaryExpressionSyntax { Right: not ThrowExpressionSyntax } coalesce when coalesce.IsKind(SyntaxKind.CoalesceExpression):
                yield return coalesce.Right;
                break;
            case PrefixUnaryExpressionSyntax unary when unary.Kind() is SyntaxKind.LogicalNotExpression or SyntaxKind.UnaryMinusExpression:
                yield return unary.Operand;
                break;
            case LiteralExpressionSyntax { RawKind: (int)SyntaxKind.TrueLiteralExpression }:
                yield return LiteralExpression(SyntaxKind.FalseLiteralExpression);
                break;
            case LiteralExpressionSyntax { RawKind: (int)SyntaxKind.FalseLiteralExpression }:
                yield return LiteralExpression(SyntaxKind.TrueLiteralExpression);
                break;
            case LiteralExpressionSyntax { RawKind: (int)SyntaxKind.NumericLiteralExpression } number:
                yield return ParseExpression($"({number.Token.Text} + 1)");
                break;
            case IdentifierNameSyntax name when IsNumber(model.GetSymbolInfo(name).Symbol):
                yield return ParseExpression($"({name} * 2 + 1)");
                break;
            case InvocationExpressionSyntax call:
                foreach (var other in OfCall(call, model))
                    yield return other;
                break;
            case ConditionalAccessExpressionSyntax { WhenNotNull: InvocationExpressionSyntax call } access:
                foreach (var other in OfCall(call, model))
                    yield return access.WithWhenNotNull(other);
                break;
            case ObjectCreationExpressionSyntax { ArgumentList: { } arguments } creation when Swapped(arguments, model) is { } swapped:
                yield return creation.WithArgumentList(swapped);
                break;
        }

        // What decides is also wrong the other way round; comparisons have their own way above.
        if (
            expression
                is not (BinaryExpressionSyntax or LiteralExpressionSyntax or PrefixUnaryExpressionSyntax or ParenthesizedExpressionSyntax)
            && Decides(expression.Parent)
            && model.GetTypeInfo(expression).Type?.SpecialType == SpecialType.System_Boolean
        )
        {
            yield return PrefixUnaryExpression(SyntaxKind.LogicalNotExpression, ParenthesizedExpression(expression));
        }
    }

    /// <summary>What a statement could be in place of what it is; an empty one where it is left out.</summary>
    public static IEnumerable<StatementSyntax?> Of(StatementSyntax statement)
    {
        switch (statement)
        {
            case ExpressionStatementSyntax { Expression: AssignmentExpressionSyntax assignment } changed
                when Assignments.TryGetValue(assignment.Kind(), out var other):
                yield return changed.WithExpression(
                    AssignmentExpression(
                        other.Expression,
                        assignment.Left,
                        Token(other.Token).WithTriviaFrom(assignment.OperatorToken),
                        assignment.Right
                    )
                );
                yield return null;
                break;
            case ExpressionStatementSyntax { Expression: PostfixUnaryExpressionSyntax counting } changed:
                var (kind, token) = counting.IsKind(SyntaxKind.PostIncrementExpression)
                    ? (SyntaxKind.PostDecrementExpression, SyntaxKind.MinusMinusToken)
                    : (SyntaxKind.PostIncrementExpression, SyntaxKind.PlusPlusToken);
                yield return changed.WithExpression(PostfixUnaryExpression(kind, counting.Operand, Token(token)));
                yield return null;
                break;
            case ExpressionStatementSyntax { Expression: InvocationExpressionSyntax call } when IsGuard(call):
                break;
            case ExpressionStatementSyntax or ReturnStatementSyntax { Expression: null } or ContinueStatementSyntax:
            case BreakStatementSyntax { Parent: not SwitchSectionSyntax }:
            case YieldStatementSyntax { Expression: not null }:
                yield return null;
                break;
        }
    }

    /// <summary>Arguments that are null or out of range: no result depends on them.</summary>
    private static bool IsGuard(InvocationExpressionSyntax call) =>
        call.Expression is MemberAccessExpressionSyntax member
        && member.Name.Identifier.Text.StartsWith("ThrowIf", Ordinal);

    /// <summary>On which thread a method goes on is nothing that a test sees.</summary>
    internal static bool IsAwaiting(SyntaxNode call) =>
        call is InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax { Name.Identifier.Text: "ConfigureAwait" } };

    private static bool IsNumber(ISymbol? symbol) =>
        symbol is IFieldSymbol { IsConst: true, ContainingType.TypeKind: not TypeKind.Enum, ConstantValue: int or long or double or uint };

    /// <summary>Whether what stands here is asked whether it holds.</summary>
    private static bool Decides(SyntaxNode? place) =>
        place switch
        {
            IfStatementSyntax or WhileStatementSyntax or ConditionalExpressionSyntax or PrefixUnaryExpressionSyntax => true,
            WhereClauseSyntax or ArrowExpressionClauseSyntax or LambdaExpressionSyntax => true,
            BinaryExpressionSyntax binary => binary.Kind() is SyntaxKind.LogicalAndExpression or SyntaxKind.LogicalOrExpression,
            _ => false,
        };

    private static IEnumerable<ExpressionSyntax> OfCall(InvocationExpressionSyntax call, SemanticModel model)
    {
        if (IsGuard(call) || IsAwaiting(call))
            yield break;
        if (call.Expression is MemberAccessExpressionSyntax member)
        {
            if (Calls.TryGetValue(member.Name.Identifier.Text, out var other) && member.Name is IdentifierNameSyntax)
                yield return call.WithExpression(member.WithName(IdentifierName(other)));
            if (member.Name.Identifier.Text is "Abs" or "Sqrt" && call.ArgumentList.Arguments.Count == 1)
                yield return call.ArgumentList.Arguments[0].Expression;
            if (member.Name.Identifier.Text is "Where" or "Distinct" or "Concat" or "OfType")
                yield return member.Expression;
        }

        // The order of what Min and Max compare is all the same.
        if (
            call.Expression is not MemberAccessExpressionSyntax { Name.Identifier.Text: "Min" or "Max" }
            && Swapped(call.ArgumentList, model) is { } swapped
        )
        {
            yield return call.WithArgumentList(swapped);
        }
    }

    /// <summary>The first two neighbours of one type, the other way round; null when there are none.</summary>
    private static ArgumentListSyntax? Swapped(ArgumentListSyntax list, SemanticModel model)
    {
        var arguments = list.Arguments;
        for (var i = 0; i + 1 < arguments.Count; i++)
        {
            var (one, next) = (arguments[i], arguments[i + 1]);
            if (
                !IsPlain(one)
                || !IsPlain(next)
                || one.Expression.IsEquivalentTo(next.Expression)
                || model.GetTypeInfo(one.Expression).Type is not { } type
                || !SymbolEqualityComparer.Default.Equals(type, model.GetTypeInfo(next.Expression).Type)
            )
            {
                continue;
            }

            var half = arguments.Replace(one, Argument(next.Expression));
            return list.WithArguments(half.Replace(half[i + 1], Argument(one.Expression)));
        }

        return null;
    }

    private static bool IsPlain(ArgumentSyntax argument) => argument.NameColon is null && argument.RefKindKeyword.IsKind(SyntaxKind.None);
}
