namespace Serdica.Perf.Measurement.Catalog;

/// <summary>State of the flow that cancels a quotation or an application.</summary>
internal sealed class CancellationTask
{
    public int Operation { get; set; }

    public bool IsApplication { get; set; }

    public InsuranceDocument? Document { get; set; }

    /// <summary>How often the task was opened again because the cancel call had failed.</summary>
    public int Reopened { get; set; }

    public string? Outcome { get; set; }

    public List<string> History { get; set; } = [];
}
