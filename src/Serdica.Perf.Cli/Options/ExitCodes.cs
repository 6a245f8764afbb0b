namespace Serdica.Perf.Cli.Options;

/// <summary>The exit codes of the process.</summary>
internal static class ExitCodes
{
    public const int Success = 0;

    /// <summary>A verification failed, or the program did; the files are kept.</summary>
    public const int Failed = 1;

    /// <summary>A name or value is unknown or invalid; nothing was run.</summary>
    public const int Usage = 2;

    /// <summary>A limit of the gate was exceeded.</summary>
    public const int GateBreached = 3;

    /// <summary>A backend that was named is not available; the others were measured.</summary>
    public const int BackendUnavailable = 4;

    /// <summary>
    /// What was asked for could not be judged: by a gate no limit was exceeded, and none could be judged, or none on the speed of a
    /// scenario; without a gate, no figure could be compared.
    /// </summary>
    public const int NotJudged = 5;

    /// <summary>The exit code for the outcome of a gate; success without a gate.</summary>
    public static int Of(GateOutcome? gate) =>
        gate switch
        {
            GateOutcome.Breached => GateBreached,
            GateOutcome.NotJudged => NotJudged,
            _ => Success,
        };

    /// <summary>Stopped by Ctrl-C; the number is the one that shells use.</summary>
    public const int Cancelled = 130;
}
