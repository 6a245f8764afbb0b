namespace Serdica.Perf.Measurement.Tests;

internal static class Mistakes
{
    /// <summary>What somebody is told who asks for what makes no sense.</summary>
    public static string Mistake(Action asked) => Assert.Throws<LoadProfileException>(asked).Message;
}
