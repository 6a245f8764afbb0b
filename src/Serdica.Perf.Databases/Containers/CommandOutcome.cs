namespace Serdica.Perf.Databases.Containers;

/// <summary>What became of a program that ran in a container.</summary>
internal sealed record CommandOutcome(long ExitCode, string Output, string Errors);
