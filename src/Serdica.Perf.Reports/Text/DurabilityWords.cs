namespace Serdica.Perf.Reports.Text;

/// <summary>What a crash of the server may cost, in a few words.</summary>
internal static class DurabilityWords
{
    public static string Of(Durability durability) =>
        durability switch
        {
            Durability.Durable => "durable",
            Durability.LossOnCrash => "the last acknowledged commits may be lost in a crash",
            Durability.NotDurable => "not durable",
            _ => "durability unknown",
        };
}
