using Serdica.Perf.Databases;
using Serdica.Perf.Measurement.Queues;

namespace Serdica.Perf.Cli.Commands.Queue;

/// <summary>What `queue` was asked for, understood and checked.</summary>
internal sealed record QueueRequest(string Backend, QueuePlan Plan, DatabaseSourceKind? Source, string? Output, bool Json);
