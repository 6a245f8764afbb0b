using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using static Microsoft.CodeAnalysis.CSharp.SyntaxFactory;

namespace Serdica.Perf.Mutation;

/// <summary>Puts every mutant of a file beside the code that it changes, behind a switch.</summary>
/// <param name="mutants">Gets what is found; the same order gives the same numbers.</param>
internal sealed class SwitchingRewriter(SemanticModel model, string file, List<Mutant> mutants, IReadOnlySet<int> dropped)
    : CSharpSyntaxRewriter
{
    public const string Annotation = "mutant";

    public override SyntaxNode? Visit(SyntaxNode? node)
    {
        // Neither changed when the program runs nor part of what it does: constants, patterns, attributes, and texts for people.
        if (
            node
            is AttributeListSyntax
                or PatternSyntax
                or ThrowStatementSyntax
                or ThrowExpressionSyntax
                or InterpolatedStringExpressionSyntax
                or SwitchLabelSyntax
                or EqualsValueClauseSyntax { Parent: ParameterSyntax }
                or ConstructorInitializerSyntax
                or LocalDeclarationStatementSyntax { IsConst: true }
        )
        {
            return node;
        }

        if (node is ArgumentListSyntax { Parent: { } call } && Mutations.IsAwaiting(call))
            return node;
        if (node is FieldDeclarationSyntax field && field.Modifiers.Any(SyntaxKind.ConstKeyword))
            return node;
        return node switch
        {
            ExpressionSyntax expression => VisitExpression(expression),
            StatementSyntax statement => VisitStatement(statement),
            _ => base.Visit(node),
        };
    }

    private SyntaxNode VisitExpression(ExpressionSyntax expression)
    {
        var visited = (ExpressionSyntax)base.Visit(expression)!;
        if (
            expression.Parent is NameColonSyntax or NameEqualsSyntax
            || (expression.Parent as MemberAccessExpressionSyntax)?.Name == expression
            || BeginsWithin(expression)
        )
            return visited;
        foreach (var mutation in Mutations.Of(expression, model))
        {
            if (Number(expression, Short(expression), Short(mutation)) is { } id)
            {
                var changed = ParenthesizedExpression(mutation.WithoutTrivia());
                visited = ParenthesizedExpression(ConditionalExpression(On(id), changed, ParenthesizedExpression(visited.WithoutTrivia())))
                    .WithTriviaFrom(expression)
                    .WithAdditionalAnnotations(new SyntaxAnnotation(Annotation, $"{id}"));
            }
        }

        return visited;
    }

    /// <summary>Whether it is what follows <c>?.</c>: it cannot stand alone, and is changed with what comes before it.</summary>
    private static bool BeginsWithin(ExpressionSyntax expression) =>
        expression switch
        {
            MemberBindingExpressionSyntax or ElementBindingExpressionSyntax => true,
            InvocationExpressionSyntax call => BeginsWithin(call.Expression),
            MemberAccessExpressionSyntax member => BeginsWithin(member.Expression),
            ElementAccessExpressionSyntax element => BeginsWithin(element.Expression),
            ConditionalAccessExpressionSyntax access => BeginsWithin(access.Expression),
            PostfixUnaryExpressionSyntax postfix => BeginsWithin(postfix.Operand),
            _ => false,
        };

    private SyntaxNode? VisitStatement(StatementSyntax statement)
    {
        var visited = (StatementSyntax?)base.Visit(statement);
        foreach (var mutation in Mutations.Of(statement))
        {
            if (Number(statement, Short(statement), mutation is null ? "nothing" : Short(mutation)) is { } id)
            {
                var changed = mutation is null ? Block() : Block(mutation.WithoutTrivia());
                visited = Block(IfStatement(On(id), changed, ElseClause(Block(visited!))))
                    .WithTriviaFrom(statement)
                    .WithAdditionalAnnotations(new SyntaxAnnotation(Annotation, $"{id}"));
            }
        }

        return visited;
    }

    private int? Number(SyntaxNode node, string before, string after)
    {
        var line = node.GetLocation().GetLineSpan().StartLinePosition.Line + 1;
        mutants.Add(new(mutants.Count + 1, $"{file}:{line}", $"`{before}` becomes `{after}`"));
        return dropped.Contains(mutants.Count) ? null : mutants.Count;
    }

    private static ExpressionSyntax On(int id) => ParseExpression($"global::Serdica.Perf.Mutation.Switch.On({id})");

    private static string Short(SyntaxNode node) => Short(node.ToString());

    /// <summary>On one line, and not longer than a row of a table bears.</summary>
    public static string Short(string code)
    {
        var text = string.Join(' ', code.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        return text.Length <= 110 ? text : text[..107] + "...";
    }
}
