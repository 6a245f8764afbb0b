namespace Serdica.Perf.Faults.History;

/// <summary>
/// What a workflow under faults writes down in its own state, in the commits of its turns. The checker compares it with what clients
/// and activities have recorded. State classes of workloads derive from it.
/// </summary>
internal class LedgerState
{
    /// <value>The key of the start; null in children and continuations.</value>
    public string? Origin { get; set; }

    /// <value>The first instance of a chain of continuations; null in the first instance itself.</value>
    public Guid? Root { get; set; }

    /// <value>Place in the chain of continuations, from 0.</value>
    public int Round { get; set; }

    /// <value>How many signals the whole chain takes before nothing keeps it from closing.</value>
    public int Expects { get; set; }

    /// <value>Length of the timer that it waits for, in milliseconds; 0 for none.</value>
    public int Pause { get; set; }

    /// <value>Runs an activity.</value>
    public bool Works { get; set; }

    /// <value>How many children it starts and waits for.</value>
    public int Children { get; set; }

    /// <value>Ids of the children whose end it has taken; null before.</value>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public List<Guid>? Closed { get; set; }

    /// <value>Keys of the signals that were handled, in their order.</value>
    public List<string> Applied { get; set; } = [];

    /// <value>Results of activities that were taken, in their order.</value>
    public List<TakenResult> Results { get; set; } = [];

    /// <summary>Whether a signal with this key is one whose handler always fails: its key begins with <c>poison</c>.</summary>
    public static bool IsPoison(string? key) => key?.StartsWith("poison", Ordinal) == true;
}

/// <summary>The result of an activity that its instance has taken.</summary>
/// <param name="Token">Fencing token of the attempt that had the effect.</param>
internal sealed record TakenResult(string Step, Guid Activity, int Token);
