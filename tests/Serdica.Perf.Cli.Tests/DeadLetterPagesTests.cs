namespace Serdica.Perf.Cli.Tests;

/// <summary>Pages that end within the open instances, between the two parts, and within the others.</summary>
public sealed class DeadLetterPagesTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    public async Task No_letter_is_missed_or_comes_twice_whatever_the_size_of_a_page(int limit)
    {
        await using var backend = new InMemoryWorkflowBackend();
        await DeadLettersCommandTests.KillAsync(backend, 3, isOpen: false);
        await DeadLettersCommandTests.KillAsync(backend, 2, isOpen: true);

        var all = await ReadAsync(backend, limit, onlyOpen: false);
        var open = await ReadAsync(backend, limit, onlyOpen: true);

        Assert.Equal(5, all.Letters.Distinct().Count());
        var areOpen = await AreOpenAsync(backend, all.Letters);
        Assert.Equal([true, true, false, false, false], areOpen);
        Assert.Equal(all.Letters.Take(2), open.Letters);

        // Every page but the last is full, and a place follows on each full one.
        Assert.Equal([.. Repeat(limit, 5 / limit), 5 % limit], all.Sizes);
    }

    private static async Task<(IReadOnlyList<Guid> Letters, IReadOnlyList<int> Sizes)> ReadAsync(
        IWorkflowBackend backend,
        int limit,
        bool onlyOpen
    )
    {
        var (letters, sizes) = (new List<Guid>(), new List<int>());
        string? after = null;
        do
        {
            var (page, next) = await new DeadLetterPages(new() { Limit = limit }, onlyOpen, after).ReadAsync(backend, Token);
            letters.AddRange(page.Select(letter => letter.Signal.InstanceId));
            sizes.Add(page.Count);
            after = next;
        } while (after is not null);
        return (letters, sizes);
    }

    private static async Task<bool[]> AreOpenAsync(IWorkflowBackend backend, IReadOnlyList<Guid> instances)
    {
        var open = new List<bool>();
        foreach (var id in instances)
            open.Add(await backend.FindAsync(id, Token) is { Status: < InstanceStatus.Completed });
        return [.. open];
    }
}
