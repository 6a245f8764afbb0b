using Serdica.Perf.Cli.Options;
using Serdica.Perf.Results.Queues;

namespace Serdica.Perf.Cli.Commands.Queue;

/// <summary>A checked request of `queue`.</summary>
/// <param name="Backend">The backend of the queue.</param>
/// <param name="Plans">One plan, or the levels of a ladder.</param>
/// <param name="Repeats">How many times the one plan is measured.</param>
/// <param name="Engine">Settings of the engine.</param>
/// <param name="Session">Where the database comes from, and where the results go.</param>
internal sealed record QueueRequest(
    string Backend, IReadOnlyList<QueuePlan> Plans, int Repeats, IReadOnlyDictionary<string, string> Engine, SessionRequest Session);
