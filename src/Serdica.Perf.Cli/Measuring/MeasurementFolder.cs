namespace Serdica.Perf.Cli.Measuring;

/// <summary>The folder of a measurement that consists of several runs: the run folders are below <c>runs</c>.</summary>
internal static class MeasurementFolder
{
    /// <summary>Where the run of a number, from 1, is kept; relative.</summary>
    public static string RunsOf(int number, string side) => Path.Combine("runs", Invariant($"{number:00}-{side}"));
}
