namespace Serdica.Perf.Compliance;

/// <summary>Records and decisions written by hand, for tests that speak to the seam without the engine.</summary>
internal static class Seam
{
    public static InstanceRecord Instance(
        string? businessKey = null,
        WaitKinds waits = WaitKinds.External,
        InstanceStatus status = InstanceStatus.Waiting
    ) =>
        new()
        {
            Id = businessKey is null ? SortableId.Next(DateTimeOffset.UtcNow) : SortableId.NextFor(DateTimeOffset.UtcNow, businessKey),
            Definition = "by-hand",
            DefinitionVersion = 1,
            BusinessKey = businessKey,
            Status = status,
            Waits = waits,
            Step = "only",
            Version = 0,
            State = "{}"u8.ToArray(),
        };

    public static InstanceRecord Closed(InstanceStatus status = InstanceStatus.Completed) =>
        Instance(waits: WaitKinds.None, status: status);

    /// <summary>An instance that another one has started.</summary>
    public static InstanceRecord ChildOf(
        InstanceRecord parent,
        WaitKinds waits = WaitKinds.External,
        InstanceStatus status = InstanceStatus.Waiting
    ) => Instance(waits: waits, status: status) with { Id = SortableId.NextBeside(DateTimeOffset.UtcNow, parent.Id), ParentId = parent.Id };

    public static StartSubmission Start(InstanceRecord instance, params Signal[] sent) =>
        new(new Decision { Instance = instance, Sent = sent.Length == 0 ? null : [.. sent] });

    public static SignalSubmission Publish(Guid instanceId, string name = "go", Due due = default) => new(Signal(instanceId, name, due));

    public static Signal Signal(Guid instanceId, string name = "go", Due due = default) =>
        new()
        {
            Id = SortableId.Next(DateTimeOffset.UtcNow),
            InstanceId = instanceId,
            Kind = SignalKind.External,
            Name = name,
            Payload = Encoding.UTF8.GetBytes($"\"{name}\""),
            Due = due,
        };

    public static Signal Lease(Guid instanceId, int token, TimeSpan duration) =>
        new()
        {
            Id = SortableId.Next(DateTimeOffset.UtcNow),
            InstanceId = instanceId,
            Kind = SignalKind.Activity,
            Name = "only",
            Due = Due.After(duration),
            Attempt = token,
        };

    /// <summary>Counts the signals into the version, as the engine does.</summary>
    public static IReadOnlyList<Decision> Count(ClaimedBatch batch) => [.. batch.Instances.Select(Count)];

    public static Decision Count(ClaimedInstance claimed) =>
        new()
        {
            Instance = claimed.Instance with { Version = claimed.Instance.Version + claimed.Signals.Count },
            ExpectedVersion = claimed.Instance.Version,
        };

    /// <summary>Completes the first instance of a claim.</summary>
    public static IReadOnlyList<Decision> Complete(ClaimedBatch batch)
    {
        var decision = Count(batch.Instances[0]);
        decision.Instance = decision.Instance! with { Status = InstanceStatus.Completed, Waits = WaitKinds.None };
        return [decision];
    }

    public static Task<IReadOnlyList<DeadLetter>> ListDeadLettersAsync(this IWorkflowBackend backend, int limit, CancellationToken token) =>
        backend.ListDeadLettersAsync(new DeadLetterQuery { Limit = limit }, token);

    public static Task SubmitAsync(this IWorkflowBackend backend, params Submission[] batch) => backend.SubmitAsync(batch, Token);

    /// <summary>Starts an instance, and publishes signals of these names to it with the same batch.</summary>
    public static async Task<InstanceRecord> StartAsync(this IWorkflowBackend backend, params string[] signals)
    {
        var instance = Instance();
        await backend.SubmitAsync([Start(instance), .. signals.Select(name => Publish(instance.Id, name))], Token);
        return instance;
    }

    /// <summary>Starts instances with one batch.</summary>
    public static async Task<List<InstanceRecord>> StartManyAsync(this IWorkflowBackend backend, int count)
    {
        var instances = Range(0, count).Select(_ => Instance()).ToList();
        await backend.SubmitAsync([.. instances.Select(instance => Start(instance))], Token);
        return instances;
    }

    /// <summary>Two of three instances that share the bytes of a direct batch are larger than a third of them.</summary>
    public static async Task DecidesNoneThatIsLargerThanItsShare(this IWorkflowBackend backend)
    {
        var small = Instance();
        var large = Instance() with { State = new byte[20_000] };
        var far = Instance() with { Progress = new byte[20_000] };
        await backend.SubmitAsync(Start(small), Start(large), Start(far));
        SignalSubmission[] batch = [Publish(small.Id), Publish(large.Id), Publish(far.Id)];

        await backend.SubmitAsync(batch, new DirectTurns(claimed => Task.FromResult(Count(claimed))) { MaxBytes = 30_000 }, Token);

        Assert.Equal([true, false, false], batch.Select(item => item.IsDecided));
        Assert.Equal(["go", "go"], await backend.TakeAsync());
    }

    /// <summary>Starts a parent and its child with one batch.</summary>
    public static async Task<(InstanceRecord Parent, InstanceRecord Child)> StartFamilyAsync(this IWorkflowBackend backend)
    {
        var parent = Instance(waits: WaitKinds.Child);
        var child = ChildOf(parent);
        await backend.SubmitAsync(Start(parent), Start(child));
        return (parent, child);
    }

    /// <summary>Counts signals into their instances where they can be decided at once; stores the others.</summary>
    public static Task SubmitDirectAsync(this IWorkflowBackend backend, params Submission[] batch) =>
        backend.SubmitDirectAsync(Count, batch);

    public static Task SubmitDirectAsync(
        this IWorkflowBackend backend,
        Func<ClaimedBatch, IReadOnlyList<Decision>> decide,
        params Submission[] batch
    ) => backend.SubmitAsync(batch, new DirectTurns(claimed => Task.FromResult(decide(claimed))), Token);

    /// <summary>Claims up to <paramref name="maxSignals"/> signals, whatever they are.</summary>
    public static Task<ProcessOutcome> ProcessAsync(
        this IWorkflowBackend backend,
        int maxSignals,
        Func<ClaimedBatch, IReadOnlyList<Decision>> decide,
        CancellationToken cancellationToken
    ) => backend.ProcessAsync(new ClaimRequest(maxSignals), decide, cancellationToken);

    /// <summary>Claims what the request asks for, and decides at once.</summary>
    public static Task<ProcessOutcome> ProcessAsync(
        this IWorkflowBackend backend,
        ClaimRequest request,
        Func<ClaimedBatch, IReadOnlyList<Decision>> decide,
        CancellationToken cancellationToken
    ) => backend.ProcessAsync(request, batch => Task.FromResult(decide(batch)), cancellationToken);

    /// <summary>Counts the signals of the first instance that a claim finds, and decides more with them.</summary>
    public static Task<ProcessOutcome> DecideAsync(this IWorkflowBackend backend, Action<Decision, ClaimedInstance> decideMore) =>
        backend.ProcessAsync(
            10,
            batch =>
            {
                var decision = Count(batch.Instances[0]);
                decideMore(decision, batch.Instances[0]);
                return [decision];
            },
            Token
        );

    /// <summary>Counts the signals of a claim after a look at it.</summary>
    public static Func<ClaimedBatch, IReadOnlyList<Decision>> CountAfter(Action<ClaimedBatch> look) =>
        batch =>
        {
            look(batch);
            return Count(batch);
        };

    /// <summary>Counts the signals of a claim after what happens meanwhile.</summary>
    public static DecideBatch CountAfter(Func<ClaimedBatch, Task> happens) =>
        async batch =>
        {
            await happens(batch);
            return Count(batch);
        };

    /// <summary>Handles what is due and answers with the names of the signals, in the order of the claim.</summary>
    public static async Task<List<string>> TakeAsync(this IWorkflowBackend backend, int maxSignals = 100)
    {
        List<string> taken = [];
        await backend.ProcessAsync(
            maxSignals,
            CountAfter(batch => taken = [.. batch.Instances.SelectMany(claimed => claimed.Signals).Select(signal => signal.Name)]),
            Token
        );
        return taken;
    }
}
