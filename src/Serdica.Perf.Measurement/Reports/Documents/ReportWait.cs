namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>What the engine's database sessions spent time on.</summary>
/// <param name="Name">Class and name.</param>
/// <param name="Kind">What it means, for instance <c>log flush</c>.</param>
/// <param name="MicrosecondsPerOperation">Sum over all sessions, for one completed operation.</param>
/// <param name="Share">Of the time in which sessions were not idle, 0 to 1.</param>
public sealed record ReportWait(string Name, string Kind, double MicrosecondsPerOperation, double Share);
