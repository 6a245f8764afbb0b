namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>What was decided for an instance, with the place where its claim found it.</summary>
internal readonly record struct HeldUpdate(Decision Decision, string Place)
{
    public InstanceRecord Instance => Decision.Instance!;
}

/// <summary>An instance with the one that started it.</summary>
internal readonly record struct StartedChild(InstanceRecord Instance, Guid Starter);

/// <summary>A signal that need not come any more.</summary>
internal readonly record struct WithdrawnSignal(Guid InstanceId, Guid SignalId);

/// <summary>A published signal with its instance found.</summary>
internal readonly record struct Receiver(SignalSubmission Submission, Signal Signal);

/// <summary>What a write of starts and signals has left open.</summary>
/// <param name="PassedOver">The starts with a business key, of which one at least was passed over; empty when none was.</param>
/// <param name="Refused">Signals that were not accepted.</param>
internal readonly record struct WrittenBatch(List<StartSubmission> PassedOver, List<Receiver> Refused)
{
    /// <param name="starts">All starts of the batch.</param>
    /// <param name="refused">Signals that were not accepted.</param>
    public static WrittenBatch Of(PostgreSqlStatements statements, List<StartSubmission> starts, int keyedStarts, List<Receiver> refused) =>
        new(
            keyedStarts > 0 && statements.StartKeyed.RecordsAffected < keyedStarts
                ? starts.FindAll(static start => start.Decision.Instance!.BusinessKey is not null)
                : [],
            refused
        );
}
