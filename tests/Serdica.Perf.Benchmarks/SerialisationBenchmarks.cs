namespace Serdica.Perf.Benchmarks;

/// <summary>What do reading and writing a state cost, from the smallest to a document of 4 KB?</summary>
public class SerialisationBenchmarks
{
    private readonly WorkflowDefinition<Document> _definition = Workflow
        .Define<Document>("document")
        .WaitFor<int>("go", (_, _) => { })
        .Build();

    private Document _document = null!;
    private byte[] _bytes = null!;

    [Params(0, 16)]
    public int Lines { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _document = new Document { Number = "Q-2026-000017" };
        for (var i = 0; i < Lines; i++)
            _document.Lines.Add(new Line { Text = new string('x', 200), Amount = i * 1.25m, Due = new DateOnly(2026, 1, 1).AddDays(i) });
        _bytes = _definition.WriteState(_document);
    }

    [Benchmark]
    public object Read() => _definition.ReadState(_bytes);

    [Benchmark]
    public byte[] Write() => _definition.WriteState(_document);

    public sealed class Document
    {
        public string Number { get; set; } = "";

        public List<Line> Lines { get; set; } = [];
    }

    public sealed class Line
    {
        public string Text { get; set; } = "";

        public decimal Amount { get; set; }

        public DateOnly Due { get; set; }
    }
}
