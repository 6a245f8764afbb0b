namespace Serdica.Perf.Tests;

/// <summary>Imported into all tests.</summary>
internal static class CurrentTest
{
    /// <summary>Cancelled when the test is to end.</summary>
    public static CancellationToken Token => TestContext.Current.CancellationToken;
}
