namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>
/// What one of several generators knows of the process that started it: the word to start, and the end of its input, which
/// comes however that process ends. The generator then stops as if the user had stopped it, and drops its store.
/// </summary>
internal sealed class OneOfTheGenerators : IDisposable
{
    public const string Ready = "serdica-perf generator ready";
    public const string Go = "go";

    private readonly TaskCompletionSource _go = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource _ended;

    /// <param name="input">From the process that started it.</param>
    /// <param name="cancellationToken">The user's.</param>
    public OneOfTheGenerators(TextReader input, CancellationToken cancellationToken)
    {
        _ended = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);

        // A console's reader blocks, whatever its methods are called.
        new Thread(() => Listen(input)) { IsBackground = true, Name = "generator input" }.Start();
    }

    /// <summary>Fires when the user stops it, and when the process that started it has ended.</summary>
    public CancellationToken Token => _ended.Token;

    /// <summary>Reports that this generator is warm, and returns when all are.</summary>
    public async Task WaitForOthersAsync(CancellationToken cancellationToken)
    {
        Console.WriteLine(Ready);
        await _go.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    public void Dispose() => _ended.Dispose();

    private void Listen(TextReader input)
    {
        while (input.ReadLine() is { } line)
        {
            if (line == Go)
                _go.TrySetResult();
        }

        try
        {
            _ended.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The generator has ended before.
        }
    }
}
