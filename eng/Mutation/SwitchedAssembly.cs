using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Serdica.Perf.Mutation;

/// <summary>A project's assembly with every mutant in it, compiled by the options that its build has.</summary>
internal static class SwitchedAssembly
{
    private const int MostRounds = 25;
    private const int RoundsByStatement = 8;

    /// <summary>Compiles the project; a mutant that does not compile is none, and is left out.</summary>
    public static async Task<IReadOnlyList<Mutant>> CompileAsync(string project, string[] files, string target)
    {
        var (compilation, options) = await CompilationAsync(project);
        var folder = Path.GetDirectoryName(project)!;
        var trees = compilation.SyntaxTrees;
        var changed = trees.Where(tree => files.Any(file => IsIn(Path.GetRelativePath(folder, tree.FilePath), file))).ToArray();
        if (changed.Length == 0)
            throw new MutationException($"None of {string.Join(", ", files)} is a file of {project}.");
        var dropped = new HashSet<int>();
        for (var round = 0; round < MostRounds; round++)
        {
            var mutants = new List<Mutant>();
            var switched = compilation.AddSyntaxTrees(CSharpSyntaxTree.ParseText(Switch, options.ParseOptions, "Switch.cs"));
            foreach (var tree in changed)
            {
                var file = Path.GetRelativePath(folder, tree.FilePath).Replace('\\', '/');
                var rewriter = new SwitchingRewriter(compilation.GetSemanticModel(tree), file, mutants, dropped);
                var rewritten = rewriter.Visit(tree.GetRoot())!;
                switched = switched.ReplaceSyntaxTree(tree, tree.WithRootAndOptions(rewritten, tree.Options));
            }

            using var image = new MemoryStream();
            var result = switched.Emit(image, manifestResources: options.ManifestResources);
            if (result.Success)
            {
                await File.WriteAllBytesAsync(target, image.ToArray());
                return [.. mutants.Where(mutant => !dropped.Contains(mutant.Id))];
            }

            var errors = result.Diagnostics.Where(diagnostic => diagnostic.Severity == DiagnosticSeverity.Error).ToArray();
            if (!errors.Select(error => Drop(error, round, dropped)).ToArray().Contains(true))
                throw new MutationException($"{project} does not compile with its mutants: {errors[0]}");
        }

        throw new MutationException($"{project} does not compile with its mutants after {MostRounds} rounds.");
    }

    /// <summary>The assembly once for each change of a script; the code stays as it is.</summary>
    public static async Task<IReadOnlyList<Mutant>> OfScriptsAsync(string project, string[] scripts, string target)
    {
        var (compilation, options) = await CompilationAsync(project);
        var folder = Path.GetDirectoryName(project)!;
        var mutants = new List<Mutant>();
        foreach (var script in scripts)
        {
            var file = Path.Combine(folder, script);
            foreach (var (line, before, after, text) in ScriptMutations.Of(await File.ReadAllTextAsync(file)))
            {
                var what = $"`{SwitchingRewriter.Short(before)}` becomes `{(after.Length == 0 ? "nothing" : after.Trim())}`";
                mutants.Add(
                    new(mutants.Count + 1, $"{script}:{line}", what)
                    {
                        Prepare = () => File.WriteAllBytes(target, Image(compilation, options, file, text)),
                    }
                );
            }
        }

        return mutants;
    }

    private static byte[] Image(CSharpCompilation compilation, CSharpCommandLineArguments options, string file, string text)
    {
        var name = $"{compilation.AssemblyName}.{Path.GetFileName(Path.GetDirectoryName(file))}.{Path.GetFileName(file)}";
        var resources = options
            .ManifestResources.Where(resource => NameOf(resource) != name)
            .Append(new ResourceDescription(name, () => new MemoryStream(Encoding.UTF8.GetBytes(text)), isPublic: true))
            .ToArray();
        using var image = new MemoryStream();
        var result = compilation.Emit(image, manifestResources: resources);
        if (resources.Length != options.ManifestResources.Length || !result.Success)
            throw new MutationException($"{file} is no resource '{name}' of its project, or the project does not compile.");
        return image.ToArray();
    }

    /// <summary>The compiler keeps it to itself.</summary>
    private static string? NameOf(ResourceDescription resource) =>
        (string?)typeof(ResourceDescription).GetField("ResourceName", BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(resource);

    private static async Task<(CSharpCompilation Compilation, CSharpCommandLineArguments Options)> CompilationAsync(string project)
    {
        var folder = Path.GetDirectoryName(project)!;
        var options = CSharpCommandLineParser.Default.Parse(await ArgumentsAsync(project), folder, sdkDirectory: null);
        var trees = options
            .SourceFiles.Select(source => CSharpSyntaxTree.ParseText(File.ReadAllText(source.Path), options.ParseOptions, source.Path))
            .ToArray();
        var compilation = CSharpCompilation.Create(
            options.CompilationName ?? Path.GetFileNameWithoutExtension(project),
            trees,
            options.MetadataReferences.Select(reference => MetadataReference.CreateFromFile(reference.Reference)),
            options.CompilationOptions.WithGeneralDiagnosticOption(ReportDiagnostic.Suppress).WithStrongNameProvider(null)
        );
        return (Generated(compilation, options, folder), options);
    }

    /// <summary>Leaves out the mutant that an error lies in; where there is none, all of its statement, and later of its member.</summary>
    private static bool Drop(Diagnostic error, int round, HashSet<int> dropped)
    {
        var node = error.Location.SourceTree?.GetRoot().FindNode(error.Location.SourceSpan);
        if (node is null)
            return false;
        if (node.AncestorsAndSelf().SelectMany(Ids).Take(1).ToArray() is [var id] && dropped.Add(id))
            return true;
        var scope = node.AncestorsAndSelf()
            .FirstOrDefault(part =>
                round < RoundsByStatement
                    ? part is StatementSyntax and not BlockSyntax or ArrowExpressionClauseSyntax
                    : part is MemberDeclarationSyntax
            )
            ?? node;
        var size = dropped.Count;
        dropped.UnionWith(scope.DescendantNodesAndSelf().SelectMany(Ids));
        return dropped.Count > size || round < RoundsByStatement;
    }

    private static IEnumerable<int> Ids(SyntaxNode node) =>
        node.GetAnnotations(SwitchingRewriter.Annotation).Select(annotation => int.Parse(annotation.Data!, null));

    private static bool IsIn(string path, string file) =>
        path.Replace('\\', '/') is var name && (name == file || name.StartsWith(file + "/", Ordinal));

    private static CSharpCompilation Generated(CSharpCompilation compilation, CSharpCommandLineArguments options, string folder)
    {
        var loader = new Loader();
        var generators = options
            .AnalyzerReferences.Select(reference => new AnalyzerFileReference(Path.GetFullPath(reference.FilePath, folder), loader))
            .SelectMany(reference => reference.GetGenerators(LanguageNames.CSharp))
            .ToArray();
        CSharpGeneratorDriver
            .Create(generators, parseOptions: options.ParseOptions)
            .RunGeneratorsAndUpdateCompilation(compilation, out var generated, out _);
        return (CSharpCompilation)generated;
    }

    /// <summary>What the build would give to the compiler; nothing is built.</summary>
    private static async Task<string[]> ArgumentsAsync(string project)
    {
        string[] arguments =
        [
            "msbuild",
            project,
            "-nologo",
            "-t:PrepareResources;Compile",
            "-getItem:CscCommandLineArgs",
            "-p:Configuration=Release",
            "-p:BuildProjectReferences=false",
            "-p:SkipCompilerExecution=true",
            "-p:ProvideCommandLineArgs=true",
            "-p:NonExistentFile=__none__",
        ];
        var (exitCode, output, error) = await Child.CaptureAsync("dotnet", arguments, Environment.CurrentDirectory);
        if (exitCode != 0)
            throw new MutationException($"The arguments of the compiler for {project} could not be read: {output}\n{error}");
        using var json = JsonDocument.Parse(output[output.IndexOf('{')..]);
        var items = json.RootElement.GetProperty("Items").GetProperty("CscCommandLineArgs").EnumerateArray();
        return [.. items.Select(item => item.GetProperty("Identity").GetString()!)];
    }

    private sealed class Loader : IAnalyzerAssemblyLoader
    {
        public void AddDependencyLocation(string fullPath) { }

        public Assembly LoadFromPath(string fullPath) => AssemblyLoadContext.Default.LoadFromAssemblyPath(fullPath);
    }

    /// <summary>Part of the assembly: which mutant is on, and which were reached.</summary>
    private const string Switch = """
        namespace Serdica.Perf.Mutation
        {
            internal static class Switch
            {
                private static readonly int s_on =
                    int.TryParse(System.Environment.GetEnvironmentVariable("SERDICA_PERF_MUTANT"), out var on) ? on : 0;
                private static readonly bool[] s_reached = Begin();

                public static bool On(int mutant)
                {
                    if (s_reached.Length > mutant)
                        s_reached[mutant] = true;
                    return mutant == s_on;
                }

                private static bool[] Begin()
                {
                    if (System.Environment.GetEnvironmentVariable("SERDICA_PERF_MUTANTS_REACHED") is not { Length: > 0 } file)
                        return [];
                    var reached = new bool[100_000];
                    System.AppDomain.CurrentDomain.ProcessExit += (_, _) =>
                    {
                        var text = new System.Text.StringBuilder();
                        for (var mutant = 0; mutant < reached.Length; mutant++)
                        {
                            if (reached[mutant])
                                text.Append(mutant).Append('\n');
                        }

                        System.IO.File.AppendAllText(file, text.ToString());
                    };
                    return reached;
                }
            }
        }
        """;
}
