using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>A setting of the engine that a run may change.</summary>
/// <param name="Name">As it is asked for, for instance <c>claim-batch</c>.</param>
/// <param name="Meaning">What it is, in a few words.</param>
/// <param name="More">What a higher value takes from one component and gives to another.</param>
/// <param name="Form">What a value must be.</param>
/// <param name="Read">Its value as it is written.</param>
/// <param name="Write">Options with another value; null when the text is none.</param>
public sealed record EngineSetting(
    string Name, string Meaning, string More, string Form, Func<WorkflowOptions, string> Read, Func<WorkflowOptions, string, WorkflowOptions?> Write);
