namespace Serdica.Perf.Results.Profiles;

/// <summary>A setting of the engine as a run had it.</summary>
/// <param name="Name">As it is asked for, for instance <c>claim-batch</c>.</param>
/// <param name="Value">In this run.</param>
/// <param name="Standard">Where nobody sets it.</param>
/// <param name="Meaning">What it is, in a few words.</param>
/// <param name="More">What a higher value takes from one component and gives to another.</param>
public sealed record EngineSettingValue(string Name, string Value, string Standard, string Meaning, string More);
