using System.Text.Json.Serialization;

namespace Serdica.Perf.Workflows;

/// <summary>The engine's own documents, without reflection.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingDefault)]
[JsonSerializable(typeof(Progress))]
[JsonSerializable(typeof(ActivityReport))]
[JsonSerializable(typeof(ChildReport))]
internal sealed partial class EngineJson : JsonSerializerContext;
