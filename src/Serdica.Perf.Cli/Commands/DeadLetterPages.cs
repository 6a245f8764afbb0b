namespace Serdica.Perf.Cli.Commands;

/// <summary>
/// Pages of dead letters: those of open instances, which somebody can do something about, come before the others. A place
/// between two pages is a text: o or c for the part, the time, and the signal.
/// </summary>
internal sealed class DeadLetterPages
{
    private readonly DeadLetterQuery _query;
    private readonly bool _onlyOpen;
    private readonly bool _beginsWithOpen = true;

    /// <param name="after">A place that <see cref="ReadAsync"/> has answered with; null for the first page.</param>
    /// <exception cref="UsageException">The place can't be read.</exception>
    public DeadLetterPages(DeadLetterQuery query, bool onlyOpen, string? after)
    {
        (_query, _onlyOpen) = (query, onlyOpen);
        if (after is null)
            return;
        if (
            after.Split('/') is not [var part, var time, var signal]
            || part is not ("o" or "c")
            || !DateTimeOffset.TryParseExact(time, "O", CultureInfo.InvariantCulture, DateTimeStyles.None, out var deadAt)
            || !Guid.TryParse(signal, out var id)
        )
        {
            throw new UsageException($"'{after}' is not a position for --after; 'dead-letters list' prints it at the end of a page.");
        }

        _beginsWithOpen = part == "o";
        _query = query with { After = new DeadLetterPosition(deadAt, id) };
    }

    /// <returns>The page, and where the next one begins if it is full.</returns>
    public async Task<(IReadOnlyList<DeadLetter> Letters, string? Next)> ReadAsync(
        IWorkflowBackend backend,
        CancellationToken cancellationToken
    )
    {
        var letters = new List<DeadLetter>();
        var openOnes = 0;
        if (_beginsWithOpen)
        {
            letters.AddRange(await backend.ListDeadLettersAsync(_query with { InstanceIsOpen = true }, cancellationToken));
            openOnes = letters.Count;
        }

        if (!_onlyOpen && letters.Count < _query.Limit)
        {
            var others = _query with
            {
                InstanceIsOpen = false,
                Limit = _query.Limit - letters.Count,
                After = _beginsWithOpen ? null : _query.After,
            };
            letters.AddRange(await backend.ListDeadLettersAsync(others, cancellationToken));
        }

        return (letters, letters.Count < _query.Limit ? null : Place(letters[^1], isOpen: openOnes == letters.Count));
    }

    private static string Place(DeadLetter letter, bool isOpen) =>
        $"{(isOpen ? "o" : "c")}/{letter.DeadAt.UtcDateTime:O}/{letter.Signal.Id}";
}
