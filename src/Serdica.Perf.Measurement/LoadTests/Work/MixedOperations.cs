namespace Serdica.Perf.Measurement.LoadTests.Work;

/// <summary>Operations of several kinds. The number of an operation decides its kind, so that a seed gives the same mix again.</summary>
internal sealed class MixedOperations : OperationSet
{
    private readonly IReadOnlyList<OperationKind> _kinds;
    private readonly MixChoice _choice;

    public MixedOperations(int count, IReadOnlyList<OperationKind> kinds, MixChoice choice)
        : base(count)
    {
        (_kinds, _choice) = (kinds, choice);
        foreach (var kind in kinds)
            Phases.Add(kind.Operations.Phases, phase => OperationKind.PhaseOf(kind.Name, phase));
    }

    internal override int LatenciesPerOperation => _kinds.Max(kind => kind.Operations.LatenciesPerOperation);

    /// <summary>The number of instances that the completed operations have left.</summary>
    public long Instances => _kinds.Sum(kind => kind.Instances);

    public IReadOnlyList<KindFigures> Figures(double seconds) => [.. _kinds.Select(kind => kind.Figures(seconds))];

    /// <summary>The kinds of which operations completed and which none of the checks is about.</summary>
    public IReadOnlyList<string> KindsWithout(IReadOnlyList<VerificationCheck> checks) =>
        [
            .. _kinds
                .Where(kind =>
                    kind.Completed > 0 && !checks.Any(check => check.Check.StartsWith(CheckOf(kind, ""), Ordinal))
                )
                .Select(kind => kind.Name),
        ];

    public override async Task PrepareAsync(CancellationToken cancellationToken)
    {
        foreach (var kind in _kinds)
            await kind.Operations.PrepareAsync(cancellationToken);
    }

    public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
    {
        var kind = KindOf(operation);
        try
        {
            return EndAsync(kind, await kind.Operations.LaunchAsync(kind.Next(), cancellationToken));
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            throw Named(kind, e);
        }
    }

    internal override void OnEnd(int operation, long due, long start, long end, bool completed) =>
        KindOf(operation).Ended(due, start, end, completed);

    public override Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
        VerifyAsync(static (kind, token) => kind.Operations.VerifyAsync(kind.Started, token), cancellationToken);

    public override Task<IReadOnlyList<VerificationCheck>> VerifyCompletedAsync(int launched, CancellationToken cancellationToken) =>
        VerifyAsync(static (kind, token) => kind.Operations.VerifyCompletedAsync(kind.Started, token), cancellationToken);

    private async Task<IReadOnlyList<VerificationCheck>> VerifyAsync(
        Func<OperationKind, CancellationToken, Task<IReadOnlyList<VerificationCheck>>> verifyAsync,
        CancellationToken cancellationToken
    )
    {
        var checks = new List<VerificationCheck>();
        foreach (var kind in _kinds.Where(kind => kind.Started > 0))
        {
            var ofKind = await verifyAsync(kind, cancellationToken);
            checks.AddRange(ofKind.Select(check => check with { Check = CheckOf(kind, check.Check) }));
        }

        return checks;
    }

    private static string CheckOf(OperationKind kind, string check) => $"{kind.Name}: {check}";

    private OperationKind KindOf(int operation) => _kinds[_choice.KindOf(operation)];

    private static async Task EndAsync(OperationKind kind, Task completion)
    {
        try
        {
            await completion;
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            throw Named(kind, e);
        }
    }

    private static LoadOperationException Named(OperationKind kind, Exception error) =>
        error is LoadOperationException { Operation: var operation, InnerException: { } cause }
            ? new($"{kind.Name}: {operation}", cause)
            : new(kind.Name, error);
}
