namespace Serdica.Perf.Measurement.Verification;

/// <summary>Expectations of scenarios about the engine's responses and about stored instances.</summary>
internal static class Expect
{
    private static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web);

    /// <exception cref="OperationFailedException">The signal was not accepted.</exception>
    public static void Accepted<TInstance>(PublishOutcome outcome, TInstance instance)
    {
        if (outcome != PublishOutcome.Accepted)
            throw new OperationFailedException($"The signal to instance {instance} was answered with {outcome}.");
    }

    /// <exception cref="OperationFailedException">The instance closed with another status.</exception>
    public static void Completed(ClosedInstance closed)
    {
        if (closed.Status != InstanceStatus.Completed)
            throw new OperationFailedException($"Instance {closed.Id} closed as {closed.Status}.");
    }

    /// <summary>Waits for the end of an instance, which must have completed, and records the duration.</summary>
    /// <param name="since">
    /// The start of the duration, as a reading of <see cref="Stopwatch.GetTimestamp"/>. An earlier end counts as zero.
    /// </param>
    /// <exception cref="OperationFailedException">The instance closed with another status.</exception>
    public static async Task CompletedAsync(Task<ClosedInstance> closed, long since, ConcurrentLatencyRecorder recorder)
    {
        Completed(await closed);
        recorder.Record(since, Math.Max(since, Stopwatch.GetTimestamp()));
    }

    /// <summary>A little less than a delay: clocks differ in speed, and some have milliseconds only.</summary>
    public static TimeSpan Least(TimeSpan delay) => (delay * 0.99) - FromMilliseconds(1);

    /// <returns>Null when it matches, otherwise the problem.</returns>
    public static string? Version(InstanceRecord record, long version) =>
        record.Version == version ? null : $"instance {record.Id} has version {record.Version} and not {version}";

    /// <inheritdoc cref="Version"/>
    public static string? State<TState>(InstanceRecord record, Func<TState, bool> isExpected, JsonSerializerOptions? json = null)
    {
        try
        {
            var state = JsonSerializer.Deserialize<TState>(record.State, json ?? Json);
            return state is not null && isExpected(state) ? null : $"instance {record.Id} has an unexpected state";
        }
        catch (JsonException e)
        {
            return $"the state of instance {record.Id} cannot be read: {e.Message}";
        }
        catch (Exception e)
        {
            // A check may rely on what the engine has lost.
            return $"the check of the state of instance {record.Id} threw {e.GetType().Name}: {e.Message}";
        }
    }

    /// <returns>Null when the JSON cannot be read as one.</returns>
    public static T? Read<T>(byte[] json)
        where T : class
    {
        try
        {
            return JsonSerializer.Deserialize<T>(json, Json);
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
