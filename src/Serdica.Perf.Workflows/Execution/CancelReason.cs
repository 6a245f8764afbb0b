using System.Text;

namespace Serdica.Perf.Workflows;

/// <summary>The payload of a cancel signal: the reason as plain UTF-8.</summary>
internal static class CancelReason
{
    public static Signal Signal(Guid id, Guid instanceId, string reason) => new()
    {
        Id = id,
        InstanceId = instanceId,
        Kind = SignalKind.Cancel,
        Name = "cancel",
        Payload = Encoding.UTF8.GetBytes(StoredText.Clean(reason)),
    };

    public static string Read(byte[] payload) => Encoding.UTF8.GetString(payload);
}
