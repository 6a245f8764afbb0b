using System.Runtime.CompilerServices;

namespace Serdica.Perf.Tests;

/// <summary>
/// What a measurement finds out about the machine in advance costs more than what most tests measure, and uses all processors or the
/// disk: here the generator's ceiling is given, and few writes are flushed.
/// </summary>
internal static class BriefProbes
{
    [ModuleInitializer]
    internal static void Prepare()
    {
        Measurement.Driving.GeneratorCeiling.Given = 100_000;
        Results.Machine.FsyncProbe.DefaultDuration = FromMilliseconds(50);
    }
}
