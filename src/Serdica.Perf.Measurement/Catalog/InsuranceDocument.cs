namespace Serdica.Perf.Measurement.Catalog;

/// <summary>
/// The payload of the business flows: a quotation or an application for motor insurance, 2 to 4 KB as JSON. It is derived from
/// the number of its operation alone, so every run produces the same.
/// </summary>
internal sealed record InsuranceDocument
{
    private static readonly string[] Risks =
    [
        "Own damage",
        "Total loss",
        "Theft",
        "Glass breakage",
        "Natural hazards",
        "Third-party liability",
        "Accident of passengers",
        "Road assistance",
    ];

    public required string Number { get; init; }

    public required string Product { get; init; }

    public required string Currency { get; init; }

    public required DateOnly ValidFrom { get; init; }

    public required InsuredParty Holder { get; init; }

    public required InsuredVehicle Vehicle { get; init; }

    public required IReadOnlyList<Coverage> Coverages { get; init; }

    public required IReadOnlyList<Instalment> Instalments { get; init; }

    public static InsuranceDocument Of(int operation, bool isApplication)
    {
        var day = new DateOnly(2026, 1, 1).AddDays(operation % 365);
        var number = operation.ToString("D8", CultureInfo.InvariantCulture);
        return new()
        {
            Number = $"{(isApplication ? "APL" : "QT")}-2026-{number}",
            Product = "MOTOR-COMPREHENSIVE",
            Currency = "BGN",
            ValidFrom = day,
            Holder = new($"C{number}", $"Holder {number}", "1000 Sofia, 12 Example Street", $"holder{number}@example.com"),
            Vehicle = new($"CB{number[^4..]}AB", $"WVWZZZ1KZ{number}", "Combi 2.0", 2015 + (operation % 10), 41_500 + (operation % 1_000)),
            Coverages =
            [
                .. Risks.Select(
                    (risk, index) =>
                        new Coverage(
                            $"R{index + 1:D2}",
                            risk,
                            10_000m * (index + 1),
                            45.50m + index,
                            index % 3 == 0 ? 200m : 0m,
                            $"Section {index + 1} of the general conditions, as amended on {day:yyyy-MM-dd}; claims are reported within "
                                + $"seven days, in writing"
                        )
                ),
            ],
            Instalments = [.. Enumerable.Range(0, 4).Select(quarter => new Instalment(quarter + 1, day.AddMonths(3 * quarter), 121.75m))],
        };
    }
}

/// <summary>Who holds a policy.</summary>
internal sealed record InsuredParty(string ClientId, string Name, string Address, string Email);

/// <summary>What a policy insures.</summary>
internal sealed record InsuredVehicle(string Plate, string Vin, string Model, int Year, int ValueEur);

/// <summary>One risk of a document.</summary>
internal sealed record Coverage(string Code, string Risk, decimal Limit, decimal Premium, decimal Deductible, string Terms);

/// <summary>One payment of the premium.</summary>
internal sealed record Instalment(int Number, DateOnly DueOn, decimal Amount);
