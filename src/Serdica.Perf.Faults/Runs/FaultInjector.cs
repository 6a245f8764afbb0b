using Serdica.Perf.Faults.Proxy;

namespace Serdica.Perf.Faults.Runs;

/// <summary>Does each kind of fault: begins it, lets it last, ends it, and says what shows that it struck.</summary>
/// <param name="progress">Gets a line each minute of a fault that counts.</param>
internal sealed class FaultInjector(FaultStage stage, Action<string> progress)
{
    private static readonly TimeSpan BetweenKills = FromMilliseconds(100);
    private static readonly TimeSpan BetweenResets = FromMilliseconds(500);
    private static readonly TimeSpan BetweenIndexes = FromMilliseconds(500);

    /// <summary>Longer than any time limit of a run.</summary>
    private static readonly TimeSpan Skew = FromMinutes(10);

    private const int SessionsAtOnce = 2;

    /// <summary>Some commits of each second; each costs a connection.</summary>
    private const double CutShare = 0.02;

    /// <summary>
    /// Where a number of commits has to be cut, all of a short time are, and the callers go on in between: a cut also costs its process
    /// the sessions that are idle, and in the next moment there are none.
    /// </summary>
    private static readonly ProxyRules AllCut = new() { CutCommits = 1 };
    private static readonly TimeSpan CutsLast = FromMilliseconds(200);
    private static readonly TimeSpan BetweenCuts = FromMilliseconds(300);

    private static readonly TimeSpan BetweenCounts = FromMilliseconds(50);
    private static readonly TimeSpan CallersPatience = FromMinutes(2);
    private static readonly TimeSpan BetweenReports = FromMinutes(1);

    private static readonly ProxyRules Slow = new() { Latency = FromMilliseconds(20), Jitter = FromMilliseconds(30) };
    private static readonly ProxyRules Narrow = new() { BytesPerSecond = 200_000 };

    /// <summary>
    /// The process of the history that the fault strikes; null for those that strike others, and for a clock: a host with a wrong clock
    /// is excused from nothing.
    /// </summary>
    public string? Process(PlannedFault fault) =>
        FaultTraits.Of(fault.Kind).OneHost && fault.Kind != FaultKind.SkewClock ? stage.Host(fault.Target).Name : null;

    /// <summary>Returns when the fault has ended, and what was stopped runs again.</summary>
    public Task<FaultEvidence> StrikeAsync(PlannedFault fault, CancellationToken cancellationToken) =>
        fault.Kind switch
        {
            FaultKind.KillHost or FaultKind.TerminateHost => EndHostAsync(fault, cancellationToken),
            FaultKind.PauseHost => PauseHostAsync(fault, cancellationToken),
            FaultKind.PartitionHost => HoldAsync(fault, new() { HoldsRequests = true, HoldsAnswers = true }, cancellationToken),
            FaultKind.HalfOpenHost => HoldAsync(fault, new() { HoldsAnswers = true }, cancellationToken),
            FaultKind.KillDatabase or FaultKind.CrashDatabase or FaultKind.RestartDatabase => stage.Server.RestartAsync(
                fault.Kind,
                fault.Duration,
                cancellationToken
            ),
            FaultKind.PauseDatabase => stage.Server.PauseAsync(fault.Duration, cancellationToken),
            FaultKind.KillSessions => KillSessionsAsync(fault, cancellationToken),
            FaultKind.ResetConnections => ResetAsync(fault, cancellationToken),
            FaultKind.CutCommits => CutAsync(fault, cancellationToken),
            FaultKind.Latency => DelayAsync(fault, Slow, cancellationToken),
            FaultKind.Bandwidth => DelayAsync(fault, Narrow, cancellationToken),
            FaultKind.HoldSnapshot => HoldSnapshotAsync(fault, cancellationToken),
            FaultKind.HoldLock => HoldLockAsync(fault, cancellationToken),
            FaultKind.FillDisk => FillDiskAsync(fault, cancellationToken),
            FaultKind.SkewClock => SkewClockAsync(fault, cancellationToken),
            FaultKind.ChangeSchema => ChangeSchemaAsync(fault, cancellationToken),
            FaultKind.FillVolume => FillVolumeAsync(fault, cancellationToken),
            FaultKind.UpgradeHost => UpgradeHostAsync(fault, cancellationToken),
            _ => throw new ArgumentException($"'{fault.Kind}' is no kind of fault."),
        };

    private async Task<FaultEvidence> EndHostAsync(PlannedFault fault, CancellationToken cancellationToken)
    {
        var host = stage.Host(fault.Target);
        var process = host.Id;
        var end = fault.Kind == FaultKind.KillHost ? host.KillAsync(cancellationToken) : host.TerminateAsync(cancellationToken);
        var code = await end;
        await Task.Delay(fault.Duration, cancellationToken);
        await stage.StartHostAsync(fault.Target, cancellationToken);
        return new(1, Text($"process {process} ended with code {code}"));
    }

    private async Task<FaultEvidence> PauseHostAsync(PlannedFault fault, CancellationToken cancellationToken)
    {
        var host = stage.Host(fault.Target);
        await using (var paused = await PausedProcesses.PauseAsync([host.Id], cancellationToken))
        {
            await Task.Delay(fault.Duration, cancellationToken);
            return new(paused.Stopped, Text($"process {host.Id} was stopped and resumed"));
        }
    }

    private async Task<FaultEvidence> KillSessionsAsync(PlannedFault fault, CancellationToken cancellationToken)
    {
        var killed = 0L;
        await RepeatAsync(
            fault,
            BetweenKills,
            async () => killed += await stage.OnNodesAsync(node => node.KillAsync(SessionsAtOnce, cancellationToken)),
            cancellationToken
        );
        return new(killed, Text($"{killed:N0} sessions ended"));
    }

    private async Task<FaultEvidence> ResetAsync(PlannedFault fault, CancellationToken cancellationToken)
    {
        var cut = 0;
        await RepeatAsync(
            fault,
            BetweenResets,
            () => Task.FromResult(cut += stage.Proxies.Sum(proxy => proxy.ResetAll())),
            cancellationToken
        );
        return new(cut, Text($"{cut:N0} connections were reset"));
    }

    private static async Task RepeatAsync(PlannedFault fault, TimeSpan pause, Func<Task> strike, CancellationToken cancellationToken)
    {
        var began = TimeProvider.System.GetTimestamp();
        while (TimeProvider.System.GetElapsedTime(began) < fault.Duration)
        {
            await strike();
            await Task.Delay(pause, cancellationToken);
        }
    }

    private async Task<FaultEvidence> CutAsync(PlannedFault fault, CancellationToken cancellationToken)
    {
        var cut = fault.Cuts is { } wanted
            ? await CutAsync(fault, wanted, cancellationToken)
            : await CutAsync(fault, new ProxyRules { CutCommits = CutShare }, cancellationToken);
        return new(cut, Text($"{cut:N0} commits were executed and their answers dropped"));
    }

    private Task<long> CutAsync(PlannedFault fault, ProxyRules rules, CancellationToken cancellationToken) =>
        RuleAsync(fault, stage.Proxies, rules, counts => counts.CommitsCut, cancellationToken);

    /// <summary>Returns when a number of commits is cut, or the time of the fault is over.</summary>
    private async Task<long> CutAsync(PlannedFault fault, int wanted, CancellationToken cancellationToken)
    {
        var began = TimeProvider.System.GetTimestamp();
        var report = BetweenReports;
        for (var cut = 0L; ;)
        {
            cut += await CutAsync(fault with { Duration = CutsLast }, AllCut, cancellationToken);

            // Before the end as well: here succeed the operations that must succeed during the fault.
            await Task.Delay(BetweenCuts, cancellationToken);
            var elapsed = TimeProvider.System.GetElapsedTime(began);
            if (cut >= wanted || elapsed >= fault.Duration)
                return cut;
            if (elapsed >= report)
            {
                progress(Text($"           {cut:N0} of {wanted:N0} after {report.TotalMinutes:0} min"));
                report += BetweenReports;
            }
        }
    }

    private async Task<FaultEvidence> HoldAsync(PlannedFault fault, ProxyRules rules, CancellationToken cancellationToken)
    {
        var proxies = (FaultProxy[])[stage.HostProxy(fault.Target)];
        var held = await RuleAsync(fault, proxies, rules, counts => counts.Held, cancellationToken);
        return new(held, Text($"{held:N0} chunks of data and connections were held back"));
    }

    private async Task<FaultEvidence> DelayAsync(PlannedFault fault, ProxyRules rules, CancellationToken cancellationToken)
    {
        var delayed = await RuleAsync(fault, stage.Proxies, rules, counts => counts.Delayed, cancellationToken);
        return new(delayed, Text($"{delayed:N0} bytes were delayed"));
    }

    /// <summary>Sets rules for the time of the fault.</summary>
    /// <returns>How much the count has grown.</returns>
    private static async Task<long> RuleAsync(
        PlannedFault fault,
        IReadOnlyList<FaultProxy> proxies,
        ProxyRules rules,
        Func<ProxyCounts, long> count,
        CancellationToken cancellationToken
    )
    {
        long Count() => proxies.Sum(proxy => count(proxy.Counts));
        var before = Count();
        foreach (var proxy in proxies)
            proxy.Rules = rules;
        await Task.Delay(fault.Duration, cancellationToken);
        if (fault.Cuts is null)
            await StruckAsync(() => Task.FromResult(Count() - before), cancellationToken);
        foreach (var proxy in proxies)
            proxy.Rules = new();
        return Count() - before;
    }

    /// <summary>Looks until something was struck: a machine that stands still has no load meanwhile.</summary>
    private static Task<long> StruckAsync(Func<Task<long>> count, CancellationToken cancellationToken) =>
        Waiting.UntilAsync(count, struck => struck > 0, BetweenCounts, CallersPatience, cancellationToken);

    private async Task<FaultEvidence> HoldSnapshotAsync(PlannedFault fault, CancellationToken cancellationToken)
    {
        await using (var held = await stage.Sessions.HoldSnapshotAsync(cancellationToken))
        {
            await Task.Delay(fault.Duration, cancellationToken);
            var age = await StruckAsync(() => stage.Sessions.AgeAsync(held, cancellationToken), cancellationToken);
            return new(age, Text($"the snapshot was {age:N0} transactions old"));
        }
    }

    private async Task<FaultEvidence> HoldLockAsync(PlannedFault fault, CancellationToken cancellationToken)
    {
        await using (var held = await stage.LockAsync(cancellationToken))
        {
            await Task.Delay(fault.Duration, cancellationToken);
            var blocked = await StruckAsync(() => stage.Sessions.BlockedAsync(held, cancellationToken), cancellationToken);
            return new(blocked, Text($"{blocked} sessions waited for the lock"));
        }
    }

    private async Task<FaultEvidence> FillDiskAsync(PlannedFault fault, CancellationToken cancellationToken)
    {
        var processes = await stage.LocalServer.FillDiskAsync(cancellationToken);
        await Task.Delay(fault.Duration, cancellationToken);

        // A server that cannot write its log ends all that its first process has started; a single one may end by itself.
        var others = processes.Skip(1).ToList();
        var ended = await ServerActuator.HaveEndedAsync(others, cancellationToken) ? others.Count : 0;
        await stage.LocalServer.StartAfreshAsync(cancellationToken);
        return new(ended, Text($"{ended} processes of the server ended, because it could not write its log"));
    }

    private async Task<FaultEvidence> SkewClockAsync(PlannedFault fault, CancellationToken cancellationToken)
    {
        var host = stage.Host(fault.Target);
        var ahead = await host.ShiftClockAsync(Skew, cancellationToken);
        await Task.Delay(fault.Duration / 2, cancellationToken);
        var behind = -await host.ShiftClockAsync(-Skew, cancellationToken);
        await Task.Delay(fault.Duration / 2, cancellationToken);
        await host.ShiftClockAsync(TimeSpan.Zero, cancellationToken);
        return new(
            Math.Min(ahead.TotalSeconds, behind.TotalSeconds),
            Text($"the clock of process {host.Id} was {ahead.TotalMinutes:0} min ahead, then {behind.TotalMinutes:0} min behind")
        );
    }

    private async Task<FaultEvidence> ChangeSchemaAsync(PlannedFault fault, CancellationToken cancellationToken)
    {
        var table = await stage.InstancesAsync(cancellationToken);
        if (stage.OwnsColumns)
            await stage.Sessions.AddColumnAsync(table, cancellationToken);
        var indexes = 0;
        await RepeatAsync(
            fault,
            BetweenIndexes,
            async () =>
            {
                await stage.Sessions.AddAndDropIndexAsync(table, cancellationToken);
                indexes++;
            },
            cancellationToken
        );
        if (stage.OwnsColumns)
            await stage.Sessions.DropColumnAsync(table, cancellationToken);
        var column = stage.OwnsColumns ? "a new column and " : "";
        return new(indexes, Text($"{table} had {column}{indexes} new indexes, one after the other"));
    }

    private async Task<FaultEvidence> FillVolumeAsync(PlannedFault fault, CancellationToken cancellationToken)
    {
        var before = stage.LocalServer.CountWritesWithoutRoom();
        await stage.LocalServer.Cluster.FillVolumeAsync(cancellationToken);
        await Task.Delay(fault.Duration, cancellationToken);
        await StruckAsync(() => Task.FromResult((long)(stage.LocalServer.CountWritesWithoutRoom() - before)), cancellationToken);
        await stage.LocalServer.Cluster.FreeVolumeAsync(cancellationToken);
        var refused = stage.LocalServer.CountWritesWithoutRoom() - before;
        return new(refused, Text($"the server refused {refused:N0} writes, because the volume of the tables was full"));
    }

    private async Task<FaultEvidence> UpgradeHostAsync(PlannedFault fault, CancellationToken cancellationToken)
    {
        await ReplaceAsync(fault, ShapedWorkflow.New, cancellationToken);
        await Task.Delay(fault.Duration / 2, cancellationToken);
        var (old, upgraded) = await OpenInstancesAsync(CallersPatience, cancellationToken);
        await LeaveOpenAsync(fault, cancellationToken);
        await stage.StartHostAsync(fault.Target, cancellationToken, ShapedWorkflow.Old);
        await Task.Delay(fault.Duration / 2, cancellationToken);
        var (_, left) = await OpenInstancesAsync(TimeSpan.Zero, cancellationToken);
        await ReplaceAsync(fault, ShapedWorkflow.Both, cancellationToken);
        return new(
            Math.Min(Math.Min(old, upgraded), left),
            Text($"with the new version alone {upgraded} instances of it and {old} of the old one were open, ")
                + Text($"and with the old one alone {left} of the new one")
        );
    }

    /// <summary>
    /// Ends the host of the new version. It ends in order, and may complete all instances of its callers before it does; the old version
    /// has nothing then that it must not touch, and the host is started once more.
    /// </summary>
    private async Task LeaveOpenAsync(PlannedFault fault, CancellationToken cancellationToken)
    {
        for (var began = TimeProvider.System.GetTimestamp(); ;)
        {
            await stage.Host(fault.Target).TerminateAsync(cancellationToken);
            var (_, left) = await OpenInstancesAsync(TimeSpan.Zero, cancellationToken);
            if (left > 0 || TimeProvider.System.GetElapsedTime(began) > CallersPatience)
                return;
            await stage.StartHostAsync(fault.Target, cancellationToken, ShapedWorkflow.New);
            await OpenInstancesAsync(CallersPatience, cancellationToken);
        }
    }

    /// <summary>Puts a host with these versions in the place of the one before.</summary>
    private async Task ReplaceAsync(PlannedFault fault, IReadOnlyList<int> versions, CancellationToken cancellationToken)
    {
        await stage.Host(fault.Target).TerminateAsync(cancellationToken);
        await stage.StartHostAsync(fault.Target, cancellationToken, versions);
    }

    /// <summary>Counts the open instances of each version.</summary>
    private async Task<(long Old, long New)> OpenInstancesAsync(TimeSpan patience, CancellationToken cancellationToken)
    {
        await using (var direct = stage.OpenDirect())
        {
            return await Waiting.UntilAsync(
                CountAsync,
                open => Math.Min(open.Old, open.New) > 0,
                BetweenCounts,
                patience,
                cancellationToken
            );

            async Task<(long Old, long New)> CountAsync()
            {
                var census = await direct.TakeCensusAsync(cancellationToken);
                long Open(IReadOnlyList<int> versions) =>
                    census.OpenByDefinition.Where(open => versions.Contains(open.Key.Version)).Sum(open => open.Value);
                return (Open(ShapedWorkflow.Old), Open(ShapedWorkflow.New));
            }
        }
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
