namespace Serdica.Perf.Compliance;

/// <summary>Workflows that several topics use.</summary>
internal static class Definitions
{
    /// <summary>Published to <see cref="Appending"/>, it completes the instance.</summary>
    public const int Last = -1;

    /// <summary>Appends each number it is sent, until <see cref="Last"/>.</summary>
    public static WorkflowDefinition<Ledger> Appending { get; } =
        Workflow
            .Define<Ledger>("appending")
            .WaitFor<int>("append", (ledger, number, context) =>
            {
                if (number == Last)
                    return Next.Complete;
                ledger.Entries.Add(number);
                ledger.Times.Add(context.Now);
                return Next.Stay;
            })
            .Build();

    /// <summary>Waits for one signal and completes.</summary>
    public static WorkflowDefinition<Ledger> Approval { get; } =
        Workflow.Define<Ledger>("approval").WaitFor<string>("approve", (ledger, note) => ledger.Note = note).Build();
}
