using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using static Microsoft.CodeAnalysis.CSharp.SyntaxFactory;

namespace Serdica.Perf.Mutation;

/// <summary>One change of the code.</summary>
/// <param name="Id">From 1; it switches the change on.</param>
/// <param name="Place">File and line.</param>
/// <param name="What">The code before and after.</param>
internal sealed record Mutant(int Id, string Place, string What)
{
    public string Fate { get; set; } = "survived";

    public bool IsKilled => Fate is "killed" or "timeout";

    /// <summary>Without its line, which moves when code above it changes.</summary>
    public string Key => $"{Place.Split(':')[0]} {What}";
}

/// <summary>Which changes there are of a piece of code; the words of the language as they are, and a few calls of LINQ and of Math.</summary>
internal static class Mutations
{
    private static readonly Dictionary<SyntaxKind, (SyntaxKind Expression, SyntaxKind Token)[]> Operators = new()
    {
        [SyntaxKind.LessThanExpression] = [(SyntaxKind.LessThanOrEqualExpression, SyntaxKind.LessThanEqualsToken), (SyntaxKind.GreaterThanOrEqualExpression, SyntaxKind.GreaterThanEqualsToken)],
        [SyntaxKind.LessThanOrEqualExpression] = [(SyntaxKind.LessThanExpression, SyntaxKind.LessThanToken), (SyntaxKind.GreaterThanExpression, SyntaxKind.GreaterThanToken)],
        [SyntaxKind.GreaterThanExpression] = [(SyntaxKind.GreaterThanOrEqualExpression, SyntaxKind.GreaterThanEqualsToken), (SyntaxKind.LessThanOrEqualExpression, SyntaxKind.LessThanEqualsToken)],
        [SyntaxKind.GreaterThanOrEqualExpression] = [(SyntaxKind.GreaterThanExpression, SyntaxKind.GreaterThanToken), (SyntaxKind.LessThanExpression, SyntaxKind.LessThanToken)],
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
        ("Min", "Max"), ("All", "Any"), ("First", "Last"), ("FirstOrDefault", "LastOrDefault"), ("OrderBy", "OrderByDescending"),
        ("Order", "OrderDescending"), ("Skip", "Take"), ("SkipLast", "TakeLast"), ("MinBy", "MaxBy"), ("Floor", "Ceiling"),
        ("StartsWith", "EndsWith"), ("Union", "Intersect"), ("Increment", "Decrement"),
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
            case BinaryExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceExpression } coalesce when coalesce.Right is not ThrowExpressionSyntax:
                yield return coalesce.Right;
                break;
            case PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.LogicalNotExpression or (int)SyntaxKind.UnaryMinusExpression } unary:
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
            case IdentifierNameSyntax name when model.GetSymbolInfo(name).Symbol is IFieldSymbol { IsConst: true, ContainingType.TypeKind: not TypeKind.Enum, ConstantValue: int or long or double or uint } field:
                yield return ParseExpression($"({field.Name} * 2 + 1)");
                break;
            case InvocationExpressionSyntax call:
                foreach (var other in OfCall(call, model))
                    yield return other;
                break;
            case ObjectCreationExpressionSyntax { ArgumentList: { } arguments } creation when Swapped(arguments, model) is { } swapped:
                yield return creation.WithArgumentList(swapped);
                break;
        }

        // What decides is also wrong the other way round; comparisons have their own way above.
        if (expression is not (BinaryExpressionSyntax or LiteralExpressionSyntax or PrefixUnaryExpressionSyntax or ParenthesizedExpressionSyntax)
            && expression.Parent is IfStatementSyntax or WhileStatementSyntax or ConditionalExpressionSyntax or PrefixUnaryExpressionSyntax or BinaryExpressionSyntax { RawKind: (int)SyntaxKind.LogicalAndExpression or (int)SyntaxKind.LogicalOrExpression } or WhereClauseSyntax or ArrowExpressionClauseSyntax or LambdaExpressionSyntax
            && model.GetTypeInfo(expression).Type?.SpecialType == SpecialType.System_Boolean)
        {
            yield return PrefixUnaryExpression(SyntaxKind.LogicalNotExpression, ParenthesizedExpression(expression));
        }
    }

    /// <summary>What a statement could be in place of what it is; an empty one where it is left out.</summary>
    public static IEnumerable<StatementSyntax?> Of(StatementSyntax statement)
    {
        switch (statement)
        {
            case ExpressionStatementSyntax { Expression: AssignmentExpressionSyntax assignment } changed when Assignments.TryGetValue(assignment.Kind(), out var other):
                yield return changed.WithExpression(AssignmentExpression(other.Expression, assignment.Left, Token(other.Token).WithTriviaFrom(assignment.OperatorToken), assignment.Right));
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
            case ExpressionStatementSyntax or ReturnStatementSyntax { Expression: null } or ContinueStatementSyntax or BreakStatementSyntax { Parent: not SwitchSectionSyntax }:
            case YieldStatementSyntax { Expression: not null }:
                yield return null;
                break;
        }
    }

    /// <summary>Arguments that are null or out of range, and how a task is awaited: no result depends on them.</summary>
    private static bool IsGuard(InvocationExpressionSyntax call) =>
        call.Expression is MemberAccessExpressionSyntax { Name.Identifier.Text: var name } && name.StartsWith("ThrowIf", StringComparison.Ordinal);

    private static IEnumerable<ExpressionSyntax> OfCall(InvocationExpressionSyntax call, SemanticModel model)
    {
        if (IsGuard(call) || (call.Expression is MemberAccessExpressionSyntax { Name.Identifier.Text: "ConfigureAwait" }))
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

        if (Swapped(call.ArgumentList, model) is { } swapped)
            yield return call.WithArgumentList(swapped);
    }

    /// <summary>The first two neighbours of one type, the other way round; null when there are none.</summary>
    private static ArgumentListSyntax? Swapped(ArgumentListSyntax list, SemanticModel model)
    {
        var arguments = list.Arguments;
        for (var i = 0; i + 1 < arguments.Count; i++)
        {
            var (one, next) = (arguments[i], arguments[i + 1]);
            if (one.NameColon is not null || next.NameColon is not null || !one.RefKindKeyword.IsKind(SyntaxKind.None) || !next.RefKindKeyword.IsKind(SyntaxKind.None)
                || one.Expression.IsEquivalentTo(next.Expression)
                || model.GetTypeInfo(one.Expression).Type is not { } type || !SymbolEqualityComparer.Default.Equals(type, model.GetTypeInfo(next.Expression).Type))
            {
                continue;
            }

            return list.WithArguments(arguments.Replace(one, Argument(next.Expression)) is var half ? half.Replace(half[i + 1], Argument(one.Expression)) : arguments);
        }

        return null;
    }
}
