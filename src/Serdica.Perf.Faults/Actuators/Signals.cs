namespace Serdica.Perf.Faults.Actuators;

/// <summary>Sends signals to processes of this machine.</summary>
internal static class Signals
{
    public const string Kill = "KILL";
    public const string Terminate = "TERM";

    /// <summary>Sends a signal to each of the processes; those that have ended meanwhile are left out.</summary>
    public static async Task SendAsync(string signal, IReadOnlyList<int> processes, CancellationToken cancellationToken)
    {
        // The shell's own: small images have no program of that name.
        var start = new ProcessStartInfo("/bin/sh", ["-c", "kill -s \"$@\"", "kill", signal, .. Arguments(processes)])
        {
            RedirectStandardError = true,
        };
        using var kill = Process.Start(start)!;
        await kill.StandardError.ReadToEndAsync(cancellationToken);
        await kill.WaitForExitAsync(cancellationToken);
    }

    public static IEnumerable<string> Arguments(IEnumerable<int> processes) =>
        processes.Select(process => process.ToString(CultureInfo.InvariantCulture));
}
