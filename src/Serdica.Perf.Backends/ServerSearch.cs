using Microsoft.Extensions.Logging;
using Serdica.Perf.Databases;

namespace Serdica.Perf.Backends;

/// <summary>How a <see cref="NamedServer"/> of one product is found.</summary>
/// <param name="Product">For sentences.</param>
/// <param name="Variable">As environment variables call it.</param>
/// <param name="NoServer">The sentence for a server that was not named.</param>
/// <param name="StartAsync">Starts a container.</param>
internal sealed record ServerSearch(
    string Product, string Variable, string NoServer, Func<DatabaseRequest, ILogger, CancellationToken, Task<ProvisionOutcome>> StartAsync);
