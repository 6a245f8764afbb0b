namespace Serdica.Perf.Workflows;

/// <summary>The part of an activity that a host runs, whatever its types are.</summary>
internal interface IActivityStep
{
    ActivityOptions Options { get; }

    /// <summary>Runs one attempt on the stored state and returns the result as JSON.</summary>
    Task<byte[]> RunAsync(ReadOnlyMemory<byte> state, ActivityContext context);
}
