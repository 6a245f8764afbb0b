namespace Serdica.Perf.Measurement.Environments;

/// <summary>A variable of the environment has a value that is not understood. Thrown before anything is started; its message is for the user.</summary>
public sealed class EnvironmentVariableException(string message) : Exception(message);
