namespace Serdica.Perf.Results.Machine;

/// <summary>The sources from which the environment is read.</summary>
internal sealed record EnvironmentOptions
{
    /// <summary>The variable that names the machine in reports.</summary>
    public const string MachineVariable = "SERDICA_PERF_MACHINE";

    /// <summary>The machine's name in reports; null means a description by cores, memory and system.</summary>
    public string? MachineName { get; init; }

    /// <summary>The labels of the run, see <see cref="RunLabels"/>.</summary>
    public IReadOnlyDictionary<string, string> Labels { get; init; } = new Dictionary<string, string>();

    /// <summary>The directory in which git is asked for the commit.</summary>
    public string SourceDirectory { get; init; } = Directory.GetCurrentDirectory();

    /// <summary>The root of the file system that holds <c>proc</c>, <c>sys</c> and <c>etc</c>.</summary>
    public string SystemRoot { get; init; } = "/";

    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <exception cref="EnvironmentVariableException">The labels cannot be parsed.</exception>
    public static EnvironmentOptions FromVariables() =>
        new()
        {
            Labels = RunLabels.Parse(Environment.GetEnvironmentVariable(RunLabels.Variable)),
            MachineName = Environment.GetEnvironmentVariable(MachineVariable) is { Length: > 0 } name ? name : null,
        };
}

/// <summary>An environment variable has an invalid value. Thrown before anything is started; its message is for the user.</summary>
internal sealed class EnvironmentVariableException(string message) : Exception(message);
