namespace Serdica.Perf.Cli.Commands;

/// <summary>`dead-letters`: lists an application's dead letters and requeues them.</summary>
internal sealed class DeadLettersCommand
{
    private const string RequeueExamples = """
        Examples:
          serdica-perf dead-letters requeue 0199d6a2-7c1e-7b52-9a61-6c1f0e3d2b44
            One dead letter, by the id that 'dead-letters list' prints.
          serdica-perf dead-letters requeue --all --store orders
            All dead letters of open instances in the schema 'orders'.

        Exit codes:
          0  requeued; with --all, the output says how many
          1  a dead letter that was named is unknown, or its instance is closed; or
             the store cannot be reached
          2  a name or value is unknown or invalid; nothing was requeued
          4  no server is named, or the backend is not available
        """;

    private const string ListExamples = """
        Examples:
          serdica-perf dead-letters list --store orders
            The first 100 dead letters in the schema 'orders', on the PostgreSQL that
            SERDICA_WORKFLOW_POSTGRESQL names.
          serdica-perf dead-letters list --open --definition order --limit 20
            The first 20 of open instances of the definition 'order'.
          serdica-perf dead-letters list --backend mongodb --json
            The dead letters on MongoDB as JSON: 'letters', and in 'next' the value
            for --after when there may be more.

        Exit codes:
          0  printed
          1  the store cannot be reached
          2  a name or value is unknown or invalid
          4  no server is named, or the backend is not available
        """;

    private const string Examples = """
        Examples:
          serdica-perf dead-letters list --open
          serdica-perf dead-letters requeue --all
          serdica-perf dead-letters list --help
        """;

    private const int DefaultLimit = 100;
    private const int MaxLimit = 1_000_000;
    private const int Page = 1_000;

    private readonly TextWriter _output;
    private readonly StoreSession _stores;
    private readonly Option<string?> _backend = Text(
        "--backend",
        "NAME",
        $"One of {string.Join(", ", ApplicationStore.Backends)}. Default {BackendNames.PostgreSql}. " + StoreSession.BackendHelp
    );
    private readonly Option<string?> _store = Text("--store", "NAME", $"{StoreSession.StoreHelp} Default: the backend's default.");
    private readonly Option<int?> _limit = NumberOption.Create(
        "--limit",
        $"The maximum number of dead letters on a page. Default {DefaultLimit}.",
        1,
        MaxLimit
    );
    private readonly Option<string?> _after = Text(
        "--after",
        "PLACE",
        "Starts after this position, which the previous page printed at its end."
    );
    private readonly Option<string?> _reason = Text(
        "--reason",
        "REASON",
        $"Lists only this reason: one of {string.Join(", ", Enum.GetNames<DeadLetterReason>())}."
    );
    private readonly Option<string?> _definition = Text("--definition", "NAME", "Lists only instances of this definition.");
    private readonly Option<string?> _instance = Text("--instance", "ID", "Lists only this instance.");
    private readonly Option<string?> _name = Text("--name", "NAME", "Lists only signals with this name.");
    private readonly Option<bool> _open = new("--open")
    {
        Description = "Lists only open instances, whose dead letters can be requeued. Default: those first, then the others.",
    };

    private readonly Option<bool> _json = new("--json") { Description = "Prints JSON." };
    private readonly Option<bool> _all = new("--all") { Description = "Requeues all dead letters of open instances." };
    private readonly Argument<string[]> _signals = new("SIGNAL")
    {
        Description = "Ids of dead letters, as 'dead-letters list' prints them.",
        Arity = ArgumentArity.ZeroOrMore,
    };

    public DeadLettersCommand(TextWriter output, TextWriter error, DatabaseEnvironment environment)
    {
        _output = output;
        _stores = new StoreSession(error, environment);
        var list = new DocumentedCommand(
            "list",
            "Lists dead letters with their reasons, without payloads. Those that can be requeued come first, by age.",
            ListExamples
        )
        {
            _backend,
            _store,
            _open,
            _reason,
            _definition,
            _instance,
            _name,
            _limit,
            _after,
            _json,
        };
        list.SetAction(
            (parsed, cancellationToken) =>
            {
                var pages = Pages(parsed);
                return OnStoreAsync(parsed, (backend, token) => ListAsync(parsed, pages, backend, token), cancellationToken);
            }
        );
        var requeue = new DocumentedCommand(
            "requeue",
            "Requeues dead letters of open instances: their signals are due again, and attempts start again at 1.",
            RequeueExamples
        )
        {
            _signals,
            _all,
            _backend,
            _store,
        };
        requeue.SetAction((parsed, cancellationToken) => RequeueAsync(parsed, cancellationToken));
        Command = new DocumentedCommand(
            "dead-letters",
            "Lists and requeues an application's dead letters: signals that its workflows could not handle.",
            Examples
        )
        {
            list,
            requeue,
        };
    }

    public Command Command { get; }

    private static Option<string?> Text(string name, string helpName, string description) =>
        new(name) { HelpName = helpName, Description = description };

    private async Task<int> RequeueAsync(ParseResult parsed, CancellationToken cancellationToken)
    {
        var signals = parsed.GetValue(_signals) ?? [];
        if (parsed.GetValue(_all) == signals.Length > 0)
            throw new UsageException("Name the dead letters: give ids as 'dead-letters list' prints them, or --all.");
        var ids = signals
            .Select(text =>
                Guid.TryParse(text, out var id)
                    ? id
                    : throw new UsageException($"'{text}' is not the id of a dead letter; 'dead-letters list' prints them.")
            )
            .Distinct()
            .ToArray();
        var hasAll = true;
        var exitCode = await OnStoreAsync(
            parsed,
            async (backend, token) => hasAll = await RequeueAsync(backend, ids, token),
            cancellationToken
        );
        return hasAll ? exitCode : ExitCodes.Failed;
    }

    private Task<int> OnStoreAsync(
        ParseResult parsed,
        Func<IWorkflowBackend, CancellationToken, Task> workAsync,
        CancellationToken cancellationToken
    ) => _stores.RunAsync(parsed.GetValue(_backend), parsed.GetValue(_store), "dead letters", workAsync, cancellationToken);

    private DeadLetterPages Pages(ParseResult parsed)
    {
        var query = new DeadLetterQuery
        {
            Limit = parsed.GetValue(_limit) ?? DefaultLimit,
            Definition = parsed.GetValue(_definition),
            Name = parsed.GetValue(_name),
            Reason =
                parsed.GetValue(_reason) is not { } reason ? null
                : Enum.TryParse<DeadLetterReason>(reason, ignoreCase: true, out var known) && Enum.IsDefined(known) ? known
                : throw new UsageException(
                    $"There is no reason '{reason}'; there are {string.Join(", ", Enum.GetNames<DeadLetterReason>())}."
                ),
            InstanceId =
                parsed.GetValue(_instance) is not { } instance ? null
                : Guid.TryParse(instance, out var id) ? id
                : throw new UsageException($"'{instance}' is not the id of an instance; 'dead-letters list' prints them."),
        };
        return new DeadLetterPages(query, parsed.GetValue(_open), parsed.GetValue(_after));
    }

    private async Task ListAsync(ParseResult parsed, DeadLetterPages pages, IWorkflowBackend backend, CancellationToken cancellationToken)
    {
        var (letters, next) = await pages.ReadAsync(backend, cancellationToken);
        if (parsed.GetValue(_json))
        {
            var lines = letters.Select(letter => new
            {
                Signal = letter.Signal.Id,
                Instance = letter.Signal.InstanceId,
                letter.Signal.Kind,
                letter.Signal.Name,
                letter.Signal.Attempt,
                letter.Reason,
                letter.Detail,
                letter.DeadAt,
                PayloadBytes = letter.Signal.Payload.Length,
            });
            var document = new { Letters = lines, Next = next };
            await _output.WriteLineAsync(JsonSerializer.Serialize(document, MeasurementJson.Artifacts));
            return;
        }

        foreach (var letter in letters)
        {
            var signal = letter.Signal;
            var line =
                $"{signal.Id}  {letter.DeadAt:yyyy-MM-dd HH:mm:ss}Z  instance {signal.InstanceId}  "
                + $"{signal.Kind} '{signal.Name}', attempt {signal.Attempt}: {letter.Reason}. {letter.Detail}";
            await _output.WriteLineAsync(line);
        }

        // A database that is not there looks like an empty one to some backends.
        var isEmpty = letters.Count == 0 && (await backend.TakeCensusAsync(cancellationToken)).Total == 0;
        var more = next is null ? "" : $" There may be more: --after {next}";
        await _output.WriteLineAsync(
            $"{Figure.Number(letters.Count, "dead letter")}." + (isEmpty ? " There is no instance either: check --store." : more)
        );
    }

    /// <returns>Whether all that were named were requeued.</returns>
    private async Task<bool> RequeueAsync(IWorkflowBackend backend, Guid[] signals, CancellationToken cancellationToken)
    {
        var (due, asked) =
            signals.Length > 0
                ? (await backend.RequeueDeadLettersAsync(signals, cancellationToken), signals.Length)
                : await RequeueAllAsync(backend, Page, cancellationToken);
        await backend.NotifyWorkAsync(cancellationToken);
        await _output.WriteLineAsync(
            $"Requeued {due} of {Figure.Number(asked, "dead letter")}."
                + (asked - due) switch
                {
                    0 => "",
                    1 => " The other is unknown, or its instance is closed.",
                    _ => " The others are unknown, or their instances are closed.",
                }
        );
        return signals.Length == 0 || due == asked;
    }

    /// <summary>
    /// Finds all before it requeues the first: one that dies again gets a later time, and would be found again without end. Works in
    /// pages, because each letter is read with its payload. Letters of closed instances stay.
    /// </summary>
    internal static async Task<(int Due, int Asked)> RequeueAllAsync(
        IWorkflowBackend backend,
        int page,
        CancellationToken cancellationToken
    )
    {
        var signals = new HashSet<Guid>();
        var query = new DeadLetterQuery { Limit = page, InstanceIsOpen = true };
        IReadOnlyList<DeadLetter> letters;
        do
        {
            letters = await backend.ListDeadLettersAsync(query, cancellationToken);
            signals.UnionWith(letters.Select(letter => letter.Signal.Id));
            if (letters.Count > 0)
                query = query with { After = DeadLetterPosition.Of(letters[^1]) };
        } while (letters.Count == page);

        var due = 0;
        foreach (var some in signals.Chunk(page))
            due += await backend.RequeueDeadLettersAsync(some, cancellationToken);
        return (due, signals.Count);
    }
}
