namespace Serdica.Perf.Workflows;

/// <summary>One worker of a <see cref="WorkLoop"/>; its members are called one after the other.</summary>
internal interface IWorker : IDisposable
{
    /// <summary>Whether the last poll left work that this worker can take at once.</summary>
    bool WantsMore { get; }

    /// <summary>How many of the signals that the last poll found are stored again instead of handled.</summary>
    int SignalsPutBack { get; }

    /// <summary>For how long the earliest of what the last poll found had been due.</summary>
    TimeSpan LongestWait { get; }

    /// <summary>Whether the last poll left work alone that another process may be able to take.</summary>
    bool LeavesWork { get; }

    /// <summary>Claims what is due, handles and commits it.</summary>
    Task<ProcessOutcome> LookAsync(CancellationToken cancellationToken);

    /// <summary>What the last poll found was handled and committed.</summary>
    void Committed();

    /// <summary>The last poll failed.</summary>
    /// <returns>The next one differs from it, so that it need not wait long.</returns>
    bool Failed(Exception error);

    /// <summary>What the last poll claimed was not committed, or no poll follows.</summary>
    void Forget();
}
