namespace Serdica.Perf.Workflows;

/// <summary>One worker of a <see cref="WorkLoop"/>; its members are called one after the other.</summary>
internal interface IWorker
{
    /// <summary>Claims what is due, handles and commits it.</summary>
    Task<ProcessOutcome> LookAsync(CancellationToken cancellationToken);

    /// <summary>What the last look handled is committed.</summary>
    void Committed();

    /// <summary>What the last look claimed was not committed, or there is no further look.</summary>
    void Forget();
}
