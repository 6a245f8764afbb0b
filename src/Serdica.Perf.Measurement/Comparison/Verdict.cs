namespace Serdica.Perf.Measurement.Comparisons;

/// <summary>What a comparison says of one metric.</summary>
public enum Verdict
{
    /// <summary>Better by more than chance, the minimum effect and the noise floor.</summary>
    Improved,

    /// <summary>Worse by more than chance, the minimum effect and the noise floor.</summary>
    Regressed,

    /// <summary>The whole confidence interval of the ratio lies within the minimum effect.</summary>
    Same,

    /// <summary>The repeats are too few or too far apart to tell a change from none.</summary>
    Unstable,

    /// <summary>The load generator was the limit of one side, so that the figure is not about the database.</summary>
    GeneratorLimited,

    /// <summary>The two sides were not measured alike; the reason says what differs.</summary>
    NotComparable,

    /// <summary>One side has no such figure.</summary>
    NotMeasured,
}
