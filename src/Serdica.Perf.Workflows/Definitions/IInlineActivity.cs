namespace Serdica.Perf.Workflows;

/// <summary>An activity that the caller of Start can run before the insert.</summary>
internal interface IInlineActivity<TState>
{
    Task<Next> RunInlineAsync(TState state, Turn turn, CancellationToken cancellationToken);
}
