namespace Serdica.Perf.Measurement.Tests;

internal static class Mistakes
{
    /// <summary>The sentence for somebody who asks for what makes no sense.</summary>
    public static string Mistake(Action asked) => Assert.Throws<LoadProfileException>(asked).Message;
}
