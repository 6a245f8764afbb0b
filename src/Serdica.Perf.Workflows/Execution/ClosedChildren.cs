namespace Serdica.Perf.Workflows;

/// <summary>
/// Results of families that are too large for their parent's progress, read from the closed children outside of any
/// transaction, for the turn that takes them. Closed instances do not change, so it does not matter which host reads when.
/// </summary>
internal sealed class ClosedChildren(IWorkflowBackend backend, ILogger logger)
{
    /// <summary>A bound for what is kept of families that another host has finished.</summary>
    private const int MaxFamilies = 16;

    /// <summary>Reads at once, of one family.</summary>
    private const int Readers = 4;

    private readonly ConcurrentDictionary<Guid, Task<InstanceRecord?[]>> _families = [];

    /// <summary>The closed instances in the order of the children; <see langword="null"/> while they are not read.</summary>
    public IReadOnlyList<InstanceRecord?>? Find(ChildFamily family) =>
        _families.TryGetValue(family.First, out var reading) && reading.IsCompletedSuccessfully ? reading.GetAwaiter().GetResult() : null;

    /// <summary>Begins to read, unless that is done or under way.</summary>
    public void Read(ChildFamily family)
    {
        if (_families.TryGetValue(family.First, out var before) && (!before.IsCompleted || before.IsCompletedSuccessfully))
            return;
        if (_families.Count >= MaxFamilies)
            _families.Clear();
        _families[family.First] = Task.Run(() => ReadAsync(family));
    }

    /// <summary>The parent has taken the results.</summary>
    public void Forget(ChildFamily family) => _families.TryRemove(family.First, out _);

    private async Task<InstanceRecord?[]> ReadAsync(ChildFamily family)
    {
        try
        {
            var ids = family.ClosingInstances;
            var records = new InstanceRecord?[ids.Count];
            await Parallel
                .ForAsync(
                    0,
                    ids.Count,
                    new ParallelOptions { MaxDegreeOfParallelism = Readers },
                    async (place, token) => records[place] = await backend.FindAsync(ids[place], token).ConfigureAwait(false)
                )
                .ConfigureAwait(false);
            return records;
        }
        catch (Exception e)
        {
            // The parent's next turn asks again.
            Log.ChildrenNotRead(logger, family.Count, family.First, DriverErrors.TextOf(e), e);
            throw;
        }
    }
}
