namespace Serdica.Perf.Databases.Local;

/// <summary>
/// Binds a local server to some of the machine's processors, so that a smaller server can be measured on a larger
/// machine.
/// </summary>
internal static class ProcessorBinding
{
    /// <summary>What is put in front of the command that starts the server, whose processes inherit it.</summary>
    /// <param name="processors">How many; <see langword="null"/> for no binding.</param>
    /// <returns>The words, or in <c>Problem</c> a sentence why that is impossible.</returns>
    public static (IReadOnlyList<string> Prefix, string? Problem) For(double? processors) =>
        processors is { } wanted ? For(wanted, Allowed("self"), ServerUser.LocateProgram("taskset")) : ([], null);

    /// <summary>Processors that a running process may use; <see langword="null"/> where the system does not report them.</summary>
    public static int? CountOf(int processId) =>
        Allowed(processId.ToString(CultureInfo.InvariantCulture)) is { Count: > 0 } allowed ? allowed.Count : null;

    internal static (IReadOnlyList<string> Prefix, string? Problem) For(double processors, IReadOnlyList<int> allowed, string? taskset)
    {
        if (processors != Math.Floor(processors))
            return (
                [],
                Invariant($"A local server is bound to whole processors, and {processors} were requested: give a whole number, or use a ")
                    + "container."
            );
        if (taskset is null || allowed.Count == 0)
            return (
                [],
                "A local server is bound to processors by taskset, which this machine does not have: install util-linux, or use a "
                    + "container."
            );
        if (processors > allowed.Count)
            return ([], Invariant($"{processors} processors were requested, and this process may use {allowed.Count}."));
        return ([taskset, "-c", string.Join(',', allowed.Take((int)processors))], null);
    }

    /// <param name="list">As the kernel writes it, for instance <c>0-3,8</c>.</param>
    internal static IReadOnlyList<int> Parse(string list)
    {
        var processors = new List<int>();
        foreach (var part in list.Split(',', RemoveEmptyEntries | TrimEntries))
        {
            var ends = part.Split('-').Select(text => int.Parse(text, CultureInfo.InvariantCulture)).ToArray();
            processors.AddRange(Enumerable.Range(ends[0], ends[^1] - ends[0] + 1));
        }

        return processors;
    }

    private static IReadOnlyList<int> Allowed(string process) =>
        ProcessStatus.Read(process, "Cpus_allowed_list") is { } list ? Parse(list) : [];
}
