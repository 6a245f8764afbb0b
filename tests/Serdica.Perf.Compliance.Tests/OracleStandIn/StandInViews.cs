namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>Which of the V$ views the stand-in lets its user read.</summary>
internal enum StandInViews
{
    /// <summary>None, as without the grant.</summary>
    None,

    /// <summary>Those of the whole instance, as on a server without views by container.</summary>
    Instance,
}
