using System.CommandLine;

namespace Serdica.Perf.Cli.Options;

/// <summary>Which limits a run is judged by.</summary>
internal sealed class RunGateOptions(Command command)
{
    private readonly Option<string?> _gate = command.Text(
        "--gate", "FILE",
        "A file of limits, for instance perf-gate.json. The exit code is 3 when one is exceeded, and 5 when none could be judged.");
    private readonly Option<string?> _baseline = command.Text(
        "--baseline", "RUN", "The run folder or published baseline that the gate's relative limits refer to.");
    private readonly Option<bool> _rerun = command.Switch(
        "--rerun-to-confirm", "Measures scenarios that exceed a limit again. Only a limit that both runs exceed counts.");

    /// <inheritdoc cref="RunGate.Read"/>
    public RunGate? Read(ParseResult parsed) => RunGate.Read(parsed.GetValue(_gate), parsed.GetValue(_baseline), parsed.GetValue(_rerun));
}
