namespace Serdica.Perf.Workflows;

/// <summary>One worker of a <see cref="WorkLoop"/>; its members are called one after the other.</summary>
internal interface IWorker : IDisposable
{
    /// <summary>The last look has left work that this worker can take at once.</summary>
    bool WantsMore { get; }

    /// <summary>Claims what is due, handles and commits it.</summary>
    Task<ProcessOutcome> LookAsync(CancellationToken cancellationToken);

    /// <summary>What the last look handled is committed.</summary>
    void Committed();

    /// <summary>The last look failed.</summary>
    /// <returns>The next one differs from it, so that it need not wait long.</returns>
    bool Failed(Exception error);

    /// <summary>What the last look claimed was not committed, or there is no further look.</summary>
    void Forget();
}
