namespace Serdica.Perf.Backends;

/// <summary>
/// Reads the input of this process to its end, which comes however the process that started it ends. Then this process stops as if
/// the user had stopped it.
/// </summary>
internal sealed class InputEnd : IDisposable
{
    private readonly CancellationTokenSource _ended;

    /// <param name="onLine">Called with each line.</param>
    public InputEnd(TextReader input, CancellationToken cancellationToken, Action<string> onLine)
    {
        _ended = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);

        // A console's reader blocks, whatever its methods are called.
        new Thread(() => Listen(input, onLine)) { IsBackground = true, Name = "input" }.Start();
    }

    /// <summary>Fires when the user stops this process, and when its input has ended.</summary>
    public CancellationToken Token => _ended.Token;

    public void Dispose() => _ended.Dispose();

    private void Listen(TextReader input, Action<string> onLine)
    {
        while (input.ReadLine() is { } line)
            onLine(line);

        try
        {
            _ended.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // This process has ended its work before.
        }
    }
}
