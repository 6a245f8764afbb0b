namespace Serdica.Perf.Faults.Tests.Simulation;

/// <summary>What happens to a process at a call of the seam.</summary>
public enum SeamFault
{
    None,

    /// <summary>The process dies before the call reaches the database.</summary>
    DieBefore,

    /// <summary>The process dies between the claim and the commit. At other calls nothing happens.</summary>
    DieDeciding,

    /// <summary>The call is done, and the process dies before it gets the answer.</summary>
    DieAfter,

    /// <summary>The database refuses the call: nothing is written.</summary>
    Refuse,

    /// <summary>The call is done, and the answer is lost; the process lives on.</summary>
    LoseAnswer,
}
