namespace Serdica.Perf.Results.Profiles;

/// <summary>One kind of operation in a mix.</summary>
/// <param name="Name">The kind: see <see cref="OperationMix"/>.</param>
/// <param name="Weight">Its share of the operations is its weight over the sum of all weights.</param>
public sealed record MixPart(string Name, double Weight);

/// <summary>A mix of kinds of operations: shapes of the round trip by name, and scenarios.</summary>
public static class OperationMix
{
    /// <summary>An operation that is complete in the commit of its start.</summary>
    public const string StartOnly = "start-only";

    /// <summary>The round trip with an activity of 1 ms, unless the options of the work set one.</summary>
    public const string WithActivity = "with-activity";

    /// <summary>The round trip with a durable timer, unless the options of the work set more.</summary>
    public const string WithTimer = "with-timer";

    /// <summary>The round trip with a child, unless the options of the work set more.</summary>
    public const string WithChild = "with-child";

    /// <summary>The kinds that options of the work shape.</summary>
    public static IReadOnlyList<string> Shapes { get; } = [LoadProfile.ShapedWorkflow, StartOnly, WithActivity, WithTimer, WithChild];

    /// <summary>The shape of a kind; null when a scenario of that name does its work.</summary>
    /// <param name="name">The kind.</param>
    /// <param name="work">The shape of <see cref="LoadProfile.ShapedWorkflow"/>.</param>
    public static WorkShape? ShapeOf(string name, WorkShape work)
    {
        ArgumentNullException.ThrowIfNull(work);
        return name switch
        {
            LoadProfile.ShapedWorkflow => work,
            StartOnly => new WorkShape { Trigger = WorkTrigger.Direct, StateBytes = work.StateBytes },
            WithActivity => work.HasActivity ? work : work with { ActivityDelay = FromMilliseconds(1) },
            WithTimer => work with { Timers = Math.Max(1, work.Timers) },
            WithChild => work with { Children = Math.Max(1, work.Children) },
            _ => null,
        };
    }

    /// <summary>Parses <c>signal-roundtrip=70,start-only=20</c>.</summary>
    /// <exception cref="LoadProfileException">A part is not a name with a weight, or a name is repeated.</exception>
    public static IReadOnlyList<MixPart> Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return Checked(
            text.Split(',', TrimEntries | RemoveEmptyEntries)
                .Select(part => part.Split('=', 2, TrimEntries))
                .Select(part => (part[0], part.Length == 2 ? part[1] : null))
        );
    }

    /// <summary>Kinds with their weights.</summary>
    /// <inheritdoc cref="Parse"/>
    public static IReadOnlyList<MixPart> Checked(IEnumerable<(string Name, string? Weight)> parts)
    {
        ArgumentNullException.ThrowIfNull(parts);
        var mix = parts
            .Select(part =>
                part.Weight is { } text && Quantity.Number(text) is { } weight and > 0
                    ? new MixPart(part.Name, weight)
                    : throw new LoadProfileException(
                        $"The mix has '{part.Name}' with the weight '{part.Weight}'; it must be a number above 0, for instance "
                            + "'signal-roundtrip=70,start-only=30'."
                    )
            )
            .ToArray();
        if (mix.Length == 0)
            throw new LoadProfileException(
                "The mix is empty; it must be kinds with weights, for instance 'signal-roundtrip=70,start-only=30'."
            );
        return mix.GroupBy(part => part.Name).FirstOrDefault(same => same.Count() > 1) is { } repeated
            ? throw new LoadProfileException($"The mix has '{repeated.Key}' {repeated.Count()} times; name each kind once.")
            : mix;
    }

    /// <summary>The mix as it is typed.</summary>
    public static string Text(IEnumerable<MixPart> mix) =>
        string.Join(',', mix.Select(part => Invariant($"{part.Name}={part.Weight:0.######}")));
}
