using Serdica.Perf.Measurement.Results;

namespace Serdica.Perf.Measurement.Reports.Sections;

internal static class DurabilityWords
{
    public static string Of(Durability durability) => durability switch
    {
        Durability.Durable => "durable",
        Durability.LossOnCrash => "the last acknowledged commits may be lost in a crash",
        Durability.NotDurable => "not durable",
        _ => "durability unknown",
    };
}
