namespace Serdica.Perf.Compliance;

/// <summary>The place of one test; disposing it removes it.</summary>
public interface IBackendSchema : IAsyncDisposable
{
    /// <summary>How many times a race between a look and the time is run.</summary>
    int Rounds => 200;

    /// <summary>A backend object on this schema; a second one stands for a second process.</summary>
    IWorkflowBackend Connect();
}
