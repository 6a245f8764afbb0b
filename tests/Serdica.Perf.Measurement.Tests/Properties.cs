namespace Serdica.Perf.Measurement.Tests;

internal static class Properties
{
    /// <summary>Throws on the first sample of which the property does not hold, and says nothing otherwise.</summary>
    public static void Hold(Property property) => Check.One(Config.QuickThrowOnFailure.WithQuietOnSuccess(true), property);
}
