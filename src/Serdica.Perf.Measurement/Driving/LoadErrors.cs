using System.Data.Common;
using System.Net.Sockets;

namespace Serdica.Perf.Measurement.Driving;

/// <summary>Counts failures by class, kind and operation. Thread-safe.</summary>
internal sealed class LoadErrors(long begin)
{
    /// <summary>
    /// The codes by which a server reports that it lacks capacity: the SQLSTATE class of insufficient resources, a server that
    /// takes no connections now, MongoDB's overload, and Oracle's limits of sessions and processes.
    /// </summary>
    private static readonly string[] CapacityCodes = ["53", "57P03", "365", "ORA-00018", "ORA-00020"];

    private const int KeptErrors = 5;

    private readonly Dictionary<(string Operation, ErrorClass Class, string Kind), OperationError> _errors = [];
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
        var (failure, code) = Classify(cause);
        var kind = code is null ? cause.GetType().Name : $"{cause.GetType().Name} {code}";
        var key = (operation, failure, kind);
        lock (_errors)
        {
            if (_first.Count < KeptErrors)
                _first.Add($"{error.GetType().Name}: {SecretScrubber.Scrub(error.Message)}");
            _errors[key] = _errors.TryGetValue(key, out var known)
                ? known with { Count = known.Count + 1 }
                : new()
                {
                    Operation = operation,
                    Class = failure,
                    Code = code,
                    Kind = kind,
                    Count = 1,
                    FirstMessage = SecretScrubber.Scrub(cause.Message),
                    FirstAtSeconds = Stopwatch.GetElapsedTime(begin).TotalSeconds,
                    IsRefusal = code is not null && CapacityCodes.Any(refusal => code.StartsWith(refusal, Ordinal)),
                };
        }
    }

    /// <summary>Errors by cause, the most frequent first.</summary>
    public IReadOnlyList<OperationError> Snapshot()
    {
        lock (_errors)
            return [.. _errors.Values.OrderByDescending(error => error.Count).ThenBy(error => error.FirstAtSeconds)];
    }

    /// <summary>A backend classifies its own errors; others are known by their type.</summary>
    private static (ErrorClass Class, string? Code) Classify(Exception cause)
    {
        var chain = Chain(cause).ToArray();
        var ofBackend = chain.OfType<WorkflowBackendException>().ToArray();
        var code =
            ofBackend.Select(error => error.Code).FirstOrDefault(value => value is not null)
            ?? chain.OfType<DbException>().Select(error => error.SqlState).FirstOrDefault(value => value is not null);
        var failure = ofBackend.Select(error => error.Failure).FirstOrDefault(value => value != BackendFailure.Other);
        return (failure == BackendFailure.Other ? OfType(chain) : Class(failure), code);
    }

    private static ErrorClass Class(BackendFailure failure) =>
        failure switch
        {
            BackendFailure.Timeout => ErrorClass.Timeout,
            BackendFailure.ConnectionLost => ErrorClass.ConnectionLost,
            BackendFailure.Conflict => ErrorClass.Conflict,
            BackendFailure.Refused => ErrorClass.Refused,
            _ => ErrorClass.Other,
        };

    private static ErrorClass OfType(Exception[] chain) =>
        chain.Any(error => error is OperationFailedException) ? ErrorClass.WrongResult
        : chain.Any(error => error is BusinessKeyConflictException) ? ErrorClass.Conflict
        : chain.Any(error => error is TimeoutException) ? ErrorClass.Timeout
        : chain.Any(error => error is SocketException or IOException) ? ErrorClass.ConnectionLost
        : chain.Any(error => error is DbException) ? ErrorClass.Refused
        : ErrorClass.Other;

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
