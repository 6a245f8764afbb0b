namespace Serdica.Perf.Measurement.Catalog;

/// <summary>State of the flow that makes a policy of a confirmed quotation: 2 to 4 KB as JSON.</summary>
internal sealed class PolicyTask
{
    public int Operation { get; set; }

    /// <summary>What the conversion call of the quotation answered.</summary>
    public string? Conversion { get; set; }

    public InsuranceDocument? Quotation { get; set; }

    public string? PolicyNumber { get; set; }

    public string? Status { get; set; }

    public bool Notified { get; set; }
}
