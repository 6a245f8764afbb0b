namespace Serdica.Perf.Workflows;

internal enum NextKind
{
    Step = 0,
    Stay,
    GoTo,
    Complete,
    Fault,

    /// <summary>The caller of Start runs the activity of this step before the insert.</summary>
    RunInline,
}
