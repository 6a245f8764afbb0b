namespace Serdica.Perf.Faults.History;

/// <summary>The form of a line.</summary>
[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Web,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    Converters = [
        typeof(Words<HistoryKind>),
        typeof(Words<CallKind>),
        typeof(Words<AckOutcome>),
        typeof(Words<HistoryPhase>),
        typeof(Words<InstanceStatus>),
        typeof(Words<WaitKinds>),
        typeof(Words<DeadLetterReason>),
    ],
    RespectNullableAnnotations = true
)]
[JsonSerializable(typeof(HistoryRecord))]
[JsonSerializable(typeof(LedgerState))]
internal sealed partial class HistoryJson : JsonSerializerContext;

/// <summary>Enums as words, as in all files of results.</summary>
internal sealed class Words<T>() : JsonStringEnumConverter<T>(JsonNamingPolicy.CamelCase, allowIntegerValues: false)
    where T : struct, Enum;
