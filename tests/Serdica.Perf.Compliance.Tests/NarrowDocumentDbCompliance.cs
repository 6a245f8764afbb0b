namespace Serdica.Perf.Compliance;

/// <summary>DocumentDB behaves as the model does when each look covers one slot only: the topics that look for work.</summary>
public static class NarrowDocumentDbCompliance
{
    public sealed class Claiming(DocumentDbFixture server) : ClaimingCompliance(new NarrowDocumentDbFixture(server));

    public sealed class Timers(DocumentDbFixture server) : TimerCompliance(new NarrowDocumentDbFixture(server));
}
