namespace Serdica.Perf.Cli.Commands.Hosts;

/// <summary>
/// What a generator or host knows of the process that started it: the word to start, further lines, and the end of its input. It
/// then stops as if the user had stopped it; a generator drops its store.
/// </summary>
internal sealed class ParentProcess : IDisposable
{
    public const string Ready = "serdica-perf ready";
    public const string Go = "go";

    private volatile TaskCompletionSource _go = new(RunContinuationsAsynchronously);
    private readonly TextWriter _output = Console.Out;
    private readonly InputEnd _input;

    public ParentProcess(TextReader input, CancellationToken cancellationToken)
    {
        // What the user's own workflows print may be the beginning of a line, and an answer must be a line of its own.
        Console.SetOut(Console.Error);
        _input = new InputEnd(input, cancellationToken, line =>
            {
                if (line == Go)
                    _go.TrySetResult();
                else
                    Asked.Release();
            });
    }

    /// <summary>Fires when the user stops it, and when the process that started it has ended.</summary>
    public CancellationToken Token => _input.Token;

    /// <value>Released by each line after the word to start.</value>
    public SemaphoreSlim Asked { get; } = new(0);

    /// <summary>Reports that this process is ready, and returns when it shall start, or go on with its next step.</summary>
    public async Task WaitForGoAsync(CancellationToken cancellationToken)
    {
        // Their assembly may have printed as well when it was loaded.
        _output.WriteLine();
        _output.WriteLine(Ready);
        await _go.Task.WaitAsync(cancellationToken);
        _go = new(RunContinuationsAsynchronously);
    }

    public void Dispose()
    {
        Console.SetOut(_output);
        _input.Dispose();
        Asked.Dispose();
    }
}
