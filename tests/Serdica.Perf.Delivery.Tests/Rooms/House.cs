namespace Serdica.Perf.Delivery.Tests.Rooms;

/// <summary>The projects below a folder, read from their files: nothing is built.</summary>
internal sealed class House(IReadOnlyDictionary<string, House.Project> projects)
{
    public IReadOnlyCollection<string> Projects => [.. projects.Keys];

    /// <param name="folder">Has a folder for each project.</param>
    public static House Read(string folder) =>
        new(
            Directory
                .EnumerateFiles(folder, "*.csproj", SearchOption.AllDirectories)
                .ToDictionary(file => Path.GetFileNameWithoutExtension(file), Project.Read)
        );

    /// <summary>One sentence for each reference that the plan does not allow, and each project that it does not know.</summary>
    /// <param name="plan">What each project may refer to.</param>
    public IEnumerable<string> ForbiddenReferences(IReadOnlyDictionary<string, string[]> plan)
    {
        foreach (var (name, project) in projects.OrderBy(entry => entry.Key, StringComparer.Ordinal))
        {
            if (!plan.TryGetValue(name, out var allowed))
                yield return $"{name} is not in the plan of the rooms.";
            else
                foreach (var reference in project.References.Except(allowed))
                    yield return $"{name} refers to {reference}, which the plan of the rooms does not allow.";
        }
    }

    /// <summary>One sentence for each group of namespaces of one project that use each other in a circle.</summary>
    public IEnumerable<string> NamespaceCycles() =>
        from project in projects.OrderBy(entry => entry.Key, StringComparer.Ordinal)
        let uses = project.Value.Uses().ToLookup(use => use.From)
        from cycle in Cycles(uses)
        select $"{project.Key}: {string.Join("; ", from use in cycle select $"{use.From} uses {use.To} in {use.File}")}";

    /// <summary>A namespace that reaches itself; each circle once, by the uses that all lie on it.</summary>
    private static IEnumerable<Use[]> Cycles(ILookup<string, Use> uses)
    {
        var reached = uses.ToDictionary(from => from.Key, from => ReachedFrom(from.Key, uses));
        bool Reaches(string from, string to) => reached.TryGetValue(from, out var others) && others.Contains(to);
        return reached
            .Keys.Where(name => Reaches(name, name))
            .Select(name => reached[name].Where(other => Reaches(other, name)).Order(StringComparer.Ordinal).ToArray())
            .DistinctBy(members => string.Join(' ', members))
            .Select(members =>
                members
                    .SelectMany(member => uses[member])
                    .Where(use => members.Contains(use.To))
                    .DistinctBy(use => (use.From, use.To))
                    .ToArray()
            );
    }

    private static HashSet<string> ReachedFrom(string start, ILookup<string, Use> uses)
    {
        var reached = new HashSet<string>();
        var open = new Queue<string>([start]);
        while (open.TryDequeue(out var next))
        {
            foreach (var use in uses[next])
            {
                if (reached.Add(use.To))
                    open.Enqueue(use.To);
            }
        }

        return reached;
    }

    /// <summary>A file of one namespace needs another.</summary>
    internal sealed record Use(string From, string To, string File);

    internal sealed record Project(IReadOnlyList<string> References, IReadOnlyList<SourceFile> Files)
    {
        public static Project Read(string path)
        {
            var folder = Path.GetDirectoryName(path)!;
            var built = new[] { "bin", "obj" }.Select(name => Path.Combine(folder, name) + Path.DirectorySeparatorChar).ToArray();
            return new(
                [
                    .. XDocument
                        .Load(path)
                        .Descendants("ProjectReference")
                        .Select(reference => reference.Attribute("Include")!.Value.Replace('\\', '/'))
                        .Select(Path.GetFileNameWithoutExtension)
                        .OfType<string>(),
                ],
                [
                    .. Directory
                        .EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories)
                        .Where(file => !built.Any(output => file.StartsWith(output)))
                        .Order(StringComparer.Ordinal)
                        .Select(SourceFile.Read)
                        .OfType<SourceFile>(),
                ]
            );
        }

        /// <summary>An enclosing namespace needs no import: its types are used when they are named.</summary>
        public IEnumerable<Use> Uses()
        {
            var types = Files.ToLookup(file => file.Namespace, file => file.Types);
            return from file in Files
                   from other in types
                   where other.Key != file.Namespace
                   where file.Imports.Contains(other.Key) || (file.IsInside(other.Key) && other.Any(file.Names.Overlaps))
                   select new Use(file.Namespace, other.Key, file.Name);
        }
    }
}
