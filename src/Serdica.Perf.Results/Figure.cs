namespace Serdica.Perf.Results;

/// <summary>
/// Formats figures for people: invariant culture, as many digits as a reader can use, and a dash where there is no figure.
/// </summary>
internal static class Figure
{
    public const string None = "–";

    /// <summary>Milliseconds or a rate: two decimals, or one from 100 on.</summary>
    public static string Of(double? value) =>
        value?.ToString(Math.Abs(value.Value) >= 100 ? "#,0.0" : "0.00", CultureInfo.InvariantCulture) ?? None;

    public static string Of(long value) => value.ToString("#,0", CultureInfo.InvariantCulture);

    /// <summary>A figure that is counted and not measured: commits, pages, bytes.</summary>
    public static string Count(double? value) => value?.ToString("#,0", CultureInfo.InvariantCulture) ?? None;

    /// <summary>A count for each operation, with two decimals below 100: small shares show how many operations share a commit.</summary>
    public static string Each(double? value) =>
        value?.ToString(Math.Abs(value.Value) >= 100 ? "#,0" : "0.00", CultureInfo.InvariantCulture) ?? None;

    public static string Percent(double value) => value.ToString("0.0", CultureInfo.InvariantCulture) + " %";

    /// <summary>A share from 0 to 1, printed in per cent.</summary>
    public static string Share(double? share) => share is { } value ? Percent(value * 100) : None;

    public static string Bytes(long? value) =>
        value switch
        {
            null => None,
            >= 1L << 30 => (value.Value / (double)(1L << 30)).ToString("0.0", CultureInfo.InvariantCulture) + " GiB",
            _ => (value.Value / (double)(1L << 20)).ToString("0.0", CultureInfo.InvariantCulture) + " MiB",
        };

    public static string Time(DateTimeOffset time) => time.UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss 'UTC'", CultureInfo.InvariantCulture);

    /// <summary>A number of things: <c>1 worker</c>, <c>2,000 workers</c>.</summary>
    public static string Number(long number, string thing) => $"{Of(number)} {thing}{(number == 1 ? "" : "s")}";

    /// <summary>The workers of a measurement: <c>2 workers</c>, or <c>3 hosts with 2 workers each</c>.</summary>
    /// <param name="workers">Of each host.</param>
    /// <param name="hosts">Host processes; 0 where the measuring process is the host.</param>
    public static string Workers(int workers, int hosts) =>
        hosts == 0 ? Number(workers, "worker") : $"{Number(hosts, "host")} with {Number(workers, "worker")}{(hosts == 1 ? "" : " each")}";

    public static string Date(DateOnly date) => date.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);

    public static string Duration(TimeSpan duration) =>
        duration.TotalMinutes >= 1
            ? Invariant($"{(int)duration.TotalMinutes} min {duration.Seconds} s")
            : Invariant($"{duration.TotalSeconds:0.0} s");
}
