namespace Serdica.Perf.Results.Machine;

/// <summary>Where the environment is read from.</summary>
public sealed record EnvironmentOptions
{
    /// <summary>The variable that names the machine in reports.</summary>
    public const string MachineVariable = "SERDICA_PERF_MACHINE";

    /// <summary>The machine's name in reports; null means that it is described by its cores, memory and system.</summary>
    public string? MachineName { get; init; }

    /// <summary>See <see cref="RunLabels"/>.</summary>
    public IReadOnlyDictionary<string, string> Labels { get; init; } = new Dictionary<string, string>();

    /// <summary>Where git is asked for the commit.</summary>
    public string SourceDirectory { get; init; } = Directory.GetCurrentDirectory();

    /// <summary>The root of the file system that holds <c>proc</c>, <c>sys</c> and <c>etc</c>.</summary>
    public string SystemRoot { get; init; } = "/";

    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <exception cref="EnvironmentVariableException">The labels are not understood.</exception>
    public static EnvironmentOptions FromVariables() => new()
    {
        Labels = RunLabels.Parse(Environment.GetEnvironmentVariable(RunLabels.Variable)),
        MachineName = Environment.GetEnvironmentVariable(MachineVariable) is { Length: > 0 } name ? name : null,
    };
}

/// <summary>A variable of the environment has a value that is not understood. Thrown before anything is started; its message is for the user.</summary>
public sealed class EnvironmentVariableException(string message) : Exception(message);
