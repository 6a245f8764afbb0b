using System.CommandLine;
using Serdica.Perf.Cli.Options;
using Serdica.Perf.Results.Profiles;

namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>What a step must keep to pass.</summary>
internal sealed class LoadObjectiveOptions(Command command)
{
    private readonly Option<string?> _p99 = command.Text("--p99", "TIME", "Objective: the highest p99 of the response time.");
    private readonly Option<string?> _errorRate = command.Text(
        "--error-rate", "SHARE", "Objective: the highest share of real failures. Default 0.");
    private readonly Option<string?> _lateness = command.Text(
        "--lateness", "SHARE", "Objective: the highest share of late and dropped arrivals.");

    public LoadProfile Apply(LoadProfile profile, TypedValues typed) => profile with
    {
        Objectives = new()
        {
            P99 = typed.Duration(_p99) ?? profile.Objectives.P99,
            ErrorRate = typed.Share(_errorRate) ?? profile.Objectives.ErrorRate,
            Lateness = typed.Share(_lateness) ?? profile.Objectives.Lateness,
        },
    };
}
