using System.Data.Common;
using System.Diagnostics;
using Serdica.Perf.Results.LoadTests;

namespace Serdica.Perf.Measurement.Driving;

/// <summary>Counts failures by kind and operation. Thread-safe.</summary>
internal sealed class LoadErrors(long begin)
{
    /// <summary>
    /// SQLSTATE classes by which a server reports that it lacks capacity: insufficient resources, and operator intervention.
    /// </summary>
    private static readonly string[] RefusalClasses = ["53", "57P03"];

    private const int KeptErrors = 5;

    private readonly Dictionary<(string Operation, string Kind), StepError> _errors = [];
    private readonly List<string> _first = [];

    /// <summary>The first few errors, one sentence each.</summary>
    public IReadOnlyList<string> First
    {
        get
        {
            lock (_errors)
                return [.. _first];
        }
    }

    public void Add(Exception error)
    {
        var (operation, cause) = error is LoadOperationException failed ? (failed.Operation, failed.InnerException!) : ("operation", error);
        var state = Chain(cause).OfType<DbException>().Select(database => database.SqlState).FirstOrDefault(code => code is not null);
        var kind = state is null ? cause.GetType().Name : $"{cause.GetType().Name} {state}";
        lock (_errors)
        {
            if (_first.Count < KeptErrors)
                _first.Add($"{error.GetType().Name}: {error.Message}");
            _errors[(operation, kind)] = _errors.TryGetValue((operation, kind), out var known)
                ? known with { Count = known.Count + 1 }
                : new()
                {
                    Operation = operation,
                    Kind = kind,
                    Count = 1,
                    FirstMessage = cause.Message,
                    FirstAtSeconds = Stopwatch.GetElapsedTime(begin).TotalSeconds,
                    IsRefusal = state is not null && RefusalClasses.Any(refusal => state.StartsWith(refusal, StringComparison.Ordinal)),
                };
        }
    }

    /// <summary>Errors by kind, the most frequent first.</summary>
    public IReadOnlyList<StepError> Snapshot()
    {
        lock (_errors)
            return [.. _errors.Values.OrderByDescending(error => error.Count).ThenBy(error => error.FirstAtSeconds)];
    }

    private static IEnumerable<Exception> Chain(Exception? error)
    {
        for (; error is not null; error = error.InnerException)
            yield return error;
    }
}

/// <summary>
/// A part of an operation has failed. It names the part, so that errors are counted by what was attempted, and has the cause.
/// </summary>
internal sealed class LoadOperationException(string operation, Exception cause) : Exception(cause.Message, cause)
{
    public string Operation => operation;
}
