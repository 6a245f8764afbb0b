using Serdica.Perf.Compliance;

namespace Serdica.Perf.Measurement.Tests.Verification;

/// <summary>The in-memory backend with one fault.</summary>
/// <param name="submitting">Awaited before each submission; null for a store that never stalls.</param>
internal sealed class MutantBackend(Mutation mutation, Func<Task>? submitting = null)
    : BackendDecorator(new InMemoryWorkflowBackend()),
        IMessageQueue
{
    private int _strikes = 1;
    private Guid _lost;

    private IMessageQueue Queue => (IMessageQueue)Inner;

    public override async Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken)
    {
        if (submitting is not null)
            await submitting();

        // An acknowledgement is what the outcome says by default.
        var kept = batch.Where(submission => !IsLost(submission)).ToList();
        foreach (var start in kept.OfType<StartSubmission>())
            Spoil(start.Decision);
        var forgetful = kept.FindIndex(submission =>
            submission is SignalSubmission { DedupKey: not null } && Strikes(Mutation.AcceptDuplicate)
        );
        if (forgetful < 0)
        {
            await Inner.SubmitAsync(kept, cancellationToken);
            return;
        }

        var original = (SignalSubmission)kept[forgetful];
        var keyless = new SignalSubmission(original.Signal, original.BusinessKey);
        kept[forgetful] = keyless;
        await Inner.SubmitAsync(kept, cancellationToken);
        original.Outcome = keyless.Outcome;
    }

    public override Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken) =>
        mutation == Mutation.FailClaims || Strikes(Mutation.FailClaim)
            ? throw new InvalidOperationException("relation \"signal\" is locked")
            : Inner.ProcessAsync(
                mutation == Mutation.IgnoreSkippedActivities ? new ClaimRequest(256) { FullPoll = true } : request,
                async batch =>
                {
                    var first = batch.Instances[0];
                    if (Strikes(Mutation.ApplyTwice))
                        first.Signals.Add(first.Signals[0]);
                    var decisions = await decide(batch);

                    // One that goes on might wait for ever with what it has forgotten, and fail other checks than that of its state.
                    if (
                        decisions.FirstOrDefault(decision => decision.Instance?.Status >= InstanceStatus.Completed) is { } closing
                        && Strikes(Mutation.CorruptState)
                    )
                        closing.Instance = closing.Instance! with { State = "{}"u8.ToArray() };
                    foreach (var decision in decisions)
                        Spoil(decision);
                    return decisions;
                },
                cancellationToken
            );

    public override async Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken)
    {
        if (Strikes(Mutation.LoseInstance))
            _lost = instanceId;
        return instanceId == _lost ? null : await Inner.FindAsync(instanceId, cancellationToken);
    }

    public Task SendAsync(IReadOnlyList<Message> messages, CancellationToken cancellationToken) =>
        Queue.SendAsync([.. messages.Where(_ => !Strikes(Mutation.DropMessage)).Select(Spoiled)], cancellationToken);

    public Task<ProcessOutcome> ReceiveAsync(int maxMessages, Action<ReceivedMessages> handle, CancellationToken cancellationToken) =>
        Queue.ReceiveAsync(
            maxMessages,
            received =>
            {
                if (Strikes(Mutation.DeliverTwice))
                    received = received with { Messages = [.. received.Messages, received.Messages[0]] };
                if (Strikes(Mutation.DeliverEarly))
                    received = received with { Now = received.Now - FromHours(1) };
                handle(received);
            },
            cancellationToken
        );

    public override ValueTask DisposeAsync() => Inner.DisposeAsync();

    private bool IsLost(Submission submission) =>
        submission is SignalSubmission { Signal.Kind: var kind }
        && (Strikes(Mutation.DropSignal) || (mutation == Mutation.LoseCancellation && kind == SignalKind.Cancel));

    private Message Spoiled(Message message) =>
        mutation switch
        {
            Mutation.ForgetDelay => message with { Due = Due.Now },
            Mutation.TruncatePayload => message with { Payload = message.Payload[..4] },
            _ => message,
        };

    private void Spoil(Decision decision)
    {
        if (mutation == Mutation.ReviveCancelled && decision.Instance is { Status: InstanceStatus.Cancelled } cancelled)
            decision.Instance = cancelled with { Status = InstanceStatus.Completed };
        if (decision.Withdrawn is { Count: > 0 } && Strikes(Mutation.KeepWithdrawn))
            decision.Withdrawn = null;
        if (decision.DeadLetters is { Count: > 0 } && Strikes(Mutation.LoseDeadLetter))
            decision.DeadLetters = null;
        if (decision.DeadLetters is [var letter] && Strikes(Mutation.CorruptDeadLetter))
            decision.DeadLetters = [letter with { Reason = DeadLetterReason.BufferFull }];
        if (decision.Sent is [{ Kind: SignalKind.Timer } early] && Strikes(Mutation.FireEarly))
            decision.Sent = [early with { Due = Due.Now }];
        if (decision.Sent is [{ Kind: SignalKind.Timer }] && Strikes(Mutation.LoseTimer))
            decision.Sent = null;
        if (decision.Sent is [{ Kind: SignalKind.ChildClosed }] && Strikes(Mutation.LoseChildResult))
            decision.Sent = null;
        if (decision.Instance is { } instance && Strikes(Mutation.AlterState))
        {
            var state = instance.State.ToArray();
            state[state.Length / 2] ^= 1;
            decision.Instance = instance with { State = state };
        }
    }

    private bool Strikes(Mutation candidate) => mutation == candidate && Interlocked.Decrement(ref _strikes) == 0;
}
