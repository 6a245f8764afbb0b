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
