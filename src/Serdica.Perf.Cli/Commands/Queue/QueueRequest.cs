using Microsoft.Extensions.Logging;
using Serdica.Perf.Databases;
using Serdica.Perf.Results.Queues;

namespace Serdica.Perf.Cli.Commands.Queue;

/// <summary>A checked request of `queue`.</summary>
/// <param name="Backend">The backend of the queue.</param>
/// <param name="Plans">One plan, or the levels of a ladder.</param>
/// <param name="Repeats">How many times the one plan is measured.</param>
/// <param name="Engine">Settings of the engine.</param>
/// <param name="Source">Where the database comes from.</param>
/// <param name="Output">Where the run folder is written.</param>
/// <param name="LogLevel">The lowest level that is logged.</param>
/// <param name="Json">Whether the result alone goes to the output.</param>
internal sealed record QueueRequest(
    string Backend, IReadOnlyList<QueuePlan> Plans, int Repeats, IReadOnlyDictionary<string, string> Engine,
    DatabaseSourceKind? Source, string? Output, LogLevel LogLevel, bool Json);
