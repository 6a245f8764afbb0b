using System.Runtime.CompilerServices;

namespace Serdica.Perf.Compliance;

/// <summary>
/// Handlers of some tests hold their threads on purpose. A pool that starts with two threads grows by one or two a second, and the
/// engine of another test would wait for them.
/// </summary>
internal static class ThreadsOfTests
{
    private const int Fewest = 64;

    [ModuleInitializer]
    internal static void Prepare() => ThreadPool.SetMinThreads(Fewest, Fewest);
}
