using Serdica.Perf.Analysis.Gates;

namespace Serdica.Perf.Cli.Options;

/// <summary>What the process tells its caller.</summary>
public static class ExitCodes
{
    public const int Success = 0;

    /// <summary>A verification failed, or the program did; the artifacts are kept.</summary>
    public const int Failed = 1;

    /// <summary>A name or value that is not understood; nothing was run.</summary>
    public const int Usage = 2;

    /// <summary>A limit of the gate was not kept.</summary>
    public const int GateBreached = 3;

    /// <summary>A backend that was asked for by name can't be had; what else was asked for was measured.</summary>
    public const int BackendUnavailable = 4;

    /// <summary>A gate was asked for, and not one of its figures could be judged: that is neither kept nor exceeded.</summary>
    public const int GateNotJudged = 5;

    /// <summary>Of the outcome of a gate; a success without one.</summary>
    public static int Of(GateOutcome? gate) => gate switch
    {
        GateOutcome.Breached => GateBreached,
        GateOutcome.NotJudged => GateNotJudged,
        _ => Success,
    };

    /// <summary>Stopped by Ctrl-C, as shells have it.</summary>
    public const int Cancelled = 130;
}
