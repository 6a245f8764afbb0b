namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>One call of a service.</summary>
/// <param name="Operation">Number of the operation.</param>
/// <param name="Service">For instance <c>quotation.load</c>.</param>
/// <param name="Attempt">1 for the operation's first call of this service.</param>
/// <param name="Succeeded">Whether it answered.</param>
internal readonly record struct ServiceCall(int Operation, string Service, int Attempt, bool Succeeded);
