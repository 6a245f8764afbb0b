using Microsoft.Extensions.Logging;
using Serdica.Perf.Databases;
using Serdica.Perf.Results.Queues;

namespace Serdica.Perf.Cli.Commands.Queue;

/// <summary>What `queue` was asked for, understood and checked.</summary>
/// <param name="Backend">Whose queue.</param>
/// <param name="Plans">One, or the rungs of a ladder.</param>
/// <param name="Repeats">Of the one plan.</param>
/// <param name="Engine">Settings of the engine.</param>
/// <param name="Source">Where the database comes from.</param>
/// <param name="Output">Where the run folder is made.</param>
/// <param name="LogLevel">From which level on the parts log.</param>
/// <param name="Json">Whether the result alone goes to the output.</param>
internal sealed record QueueRequest(
    string Backend, IReadOnlyList<QueuePlan> Plans, int Repeats, IReadOnlyDictionary<string, string> Engine,
    DatabaseSourceKind? Source, string? Output, LogLevel LogLevel, bool Json);
