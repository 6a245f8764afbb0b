namespace Serdica.Perf.Cli.Options;

/// <summary>What was typed for options that a profile may set too: read by the rules of profiles, null where nothing was typed.</summary>
/// <exception cref="LoadProfileException">A value is invalid; every method throws it, with the name of the option.</exception>
internal sealed class TypedValues(ParseResult parsed)
{
    private readonly ProfileValues _values = new(null);

    public string? Text(Option<string?> option) => parsed.GetValue(option);

    public bool IsSet(Option<bool> option) => parsed.GetValue(option);

    public int? Number(Option<int?> option) => parsed.GetValue(option);

    public IReadOnlyDictionary<string, string> Engine(Option<string[]> option) => EngineOption.Read(parsed, option);

    public int? Count(Option<string?> option) => _values.Count(option.Name, Text(option));

    public double? Decimal(Option<string?> option) => _values.Number(option.Name, Text(option));

    public TimeSpan? Duration(Option<string?> option) => _values.Duration(option.Name, Text(option));

    public double? Share(Option<string?> option) => _values.Share(option.Name, Text(option));

    public int? Backlog(Option<string?> option) => _values.Backlog(option.Name, Text(option));

    public int? Bytes(Option<string?> option) => _values.Bytes(option.Name, Text(option));

    public int? Payload(Option<string?> option) => _values.Payload(option.Name, Text(option));

    public T? Word<T>(Option<string?> option)
        where T : struct, Enum => _values.Word<T>(option.Name, Text(option));

    /// <summary>The short forms of thresholds, and those that are written out.</summary>
    public IReadOnlyList<Threshold> Thresholds(
        Option<string?> p99,
        Option<string?> errorRate,
        Option<string?> lateness,
        Option<string[]> thresholds
    ) =>
        Threshold.Merged(
            _values.Thresholds(Duration(p99), Share(errorRate), Share(lateness)),
            _values.Thresholds(parsed.GetValue(thresholds))
        );

    public (int Min, int Max)? Range(Option<string?> option) => _values.Range(option.Name, Text(option));

    public double? PerSecond(Option<string?> option) => _values.PerSecond(option.Name, Text(option));

    public (double? PerSecond, double? ShareOfMaximum)? Rate(Option<string?> option) => _values.Rate(option.Name, Text(option));

    /// <summary>Several rates, comma-separated.</summary>
    public (double? PerSecond, double? ShareOfMaximum)[]? Rates(Option<string?> option) =>
        Text(option)?.Split(',').Select(text => _values.Rate(option.Name, text)!.Value).ToArray();

    /// <inheritdoc cref="ProfileValues.RefuseWithout"/>
    public void RefuseWithout(string owner, bool hasOwner, params Option<string?>[] parts) =>
        _values.RefuseWithout(owner, hasOwner, [.. parts.Select(part => (part.Name, Text(part)))]);

    public LoadProfileException Error(string problem) => _values.Error(problem);
}
