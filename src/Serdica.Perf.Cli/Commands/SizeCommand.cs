using Serdica.Perf.Analysis.Sizing;

namespace Serdica.Perf.Cli.Commands;

/// <summary>`size`: the machine sizes that load tests call for.</summary>
internal sealed class SizeCommand
{
    private const string Examples = """
        Examples:
          serdica-perf size TestResults/workflow-performance/<run of load>
            Machine sizes for the load that they sustain, the growth of each component,
            and fragments for Kubernetes.
          serdica-perf size <run> <run> --headroom 40% --markdown sizes.md
            Uses two runs and adds 40 % to the measured P99.
          serdica-perf size <run> --target 100000 --target 1000000 --cores 64
            Also extrapolates what these rates would take, with intervals.

        Exit codes:
          0  printed; a size that breaks its own rule is reported and left out
          1  the file of --markdown cannot be written
          2  a run cannot be read, or has no step that can be used, or has too few
             rates to project a target from
        """;

    private readonly TextWriter _output;
    private readonly Argument<string[]> _runs = new("RUN")
    {
        Description = "Run folders of 'serdica-perf load'.",
        Arity = ArgumentArity.OneOrMore,
    };

    private readonly Option<string?> _headroom = new("--headroom")
    {
        HelpName = "SHARE",
        Description = "The share that is added to the measured P99. Default 25%.",
    };

    private readonly Option<string[]> _targets = new("--target")
    {
        HelpName = "RATE",
        Description = "A rate above the measured ones; prints what it would take, by extrapolation. Can be repeated.",
        Arity = ArgumentArity.OneOrMore,
    };

    private readonly Option<int?> _cores = NumberOption.Create(
        "--cores",
        $"The cores of each machine in the extrapolation. Default {Projection.DefaultCores}.",
        1,
        100_000
    );

    private readonly Option<string?> _markdown = new("--markdown")
    {
        HelpName = "FILE",
        Description = "Writes Markdown to this file instead of standard output.",
    };

    private readonly Option<bool> _json = new("--json") { Description = "Prints JSON." };

    public SizeCommand(TextWriter output)
    {
        _output = output;
        Command = new DocumentedCommand("size", "Derives machine sizes from the resources that load tests used.", Examples)
        {
            _runs,
            _headroom,
            _targets,
            _cores,
            _markdown,
            _json,
        };
        Command.SetAction(Size);
    }

    public Command Command { get; }

    private int Size(ParseResult parsed)
    {
        var advice = Advise(parsed);
        var file = parsed.GetValue(_markdown);
        if (file is not null)
            MarkdownFile.Write(file, text => SizingMarkdown.Write(text, advice));
        if (parsed.GetValue(_json))
            _output.WriteLine(JsonSerializer.Serialize(advice, MeasurementJson.Artifacts));
        else if (file is null)
            SizingMarkdown.Write(_output, advice);
        return ExitCodes.Success;
    }

    private SizingAdvice Advise(ParseResult parsed)
    {
        var values = new ProfileValues(null);
        var headroom = values.Share("--headroom", parsed.GetValue(_headroom));
        var targets = (parsed.GetValue(_targets) ?? []).Select(text => values.PerSecond("--target", text)!.Value).Distinct().ToArray();
        var cores = parsed.GetValue(_cores);
        if (cores is not null && targets.Length == 0)
            throw new UsageException("--cores describes the machines of an extrapolation; add --target, or leave --cores out.");
        return SizingAdvice.Of(
            [.. parsed.GetValue(_runs)!.Select(LoadResultReader.Read)],
            headroom is { } share ? new(share) : new(),
            targets,
            cores ?? Projection.DefaultCores
        );
    }
}
