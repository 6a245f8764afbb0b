namespace Serdica.Perf.Measurement.Catalog;

/// <summary>The state of the flow that confirms a quotation: 2 to 4 KB as JSON.</summary>
internal sealed class QuotationTask
{
    public int Operation { get; set; }

    public InsuranceDocument? Quotation { get; set; }

    /// <summary>How many times the human task was opened again because the confirm call had failed.</summary>
    public int Reopened { get; set; }

    public string? Clerk { get; set; }

    /// <summary>The answer of the conversion call.</summary>
    public string? Conversion { get; set; }

    public string? Outcome { get; set; }

    public List<string> History { get; set; } = [];
}

/// <summary>The payload of the signal that closes the human task.</summary>
internal sealed record QuotationVerdict(bool Confirmed, string Clerk);

/// <summary>The state of the flow that makes a policy of a confirmed quotation: 2 to 4 KB as JSON.</summary>
internal sealed class PolicyTask
{
    public int Operation { get; set; }

    /// <summary>The answer of the quotation's conversion call.</summary>
    public string? Conversion { get; set; }

    public InsuranceDocument? Quotation { get; set; }

    public string? PolicyNumber { get; set; }

    public string? Status { get; set; }

    public bool Notified { get; set; }
}
