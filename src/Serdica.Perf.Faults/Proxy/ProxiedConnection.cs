using System.Buffers;
using System.Net;
using System.Net.Sockets;

namespace Serdica.Perf.Faults.Proxy;

/// <summary>One connection of a client, and the one to the server behind it.</summary>
/// <param name="lot">From 0 to 1: rules with a larger share strike this connection.</param>
internal sealed class ProxiedConnection(FaultProxy proxy, Socket client, double lot)
{
    private const int PieceBytes = 64 << 10;

    private readonly Socket _server = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly CommitWatch _watch = new();
    private int _closed;

    public bool IsStruckBy(ProxyRules rules) => lot < rules.Share;

    /// <summary>Returns when both sides have ended.</summary>
    public async Task RunAsync(IPEndPoint server, CancellationToken cancellationToken)
    {
        try
        {
            await proxy.WhileHeldAsync(this, isRequest: true, 1, cancellationToken);
            await _server.ConnectAsync(server, cancellationToken);

            // A port without a listener may be given to the very socket that tries to reach it.
            if (_server.LocalEndPoint!.Equals(_server.RemoteEndPoint))
                return;
            client.NoDelay = _server.NoDelay = true;
            proxy.Counts.AddOpened();
            using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            await Task.WhenAll(
                EndAllAsync(PumpAsync(client, _server, isRequest: true, end.Token), end),
                EndAllAsync(PumpAsync(_server, client, isRequest: false, end.Token), end)
            );
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or OperationCanceledException)
        {
            // One side has gone, or the proxy ends; the other side learns of it now.
        }
        finally
        {
            Close(reset: false);
        }
    }

    /// <summary>Cuts both sides with a reset.</summary>
    /// <returns>Whether it was open.</returns>
    public bool Reset() => Close(reset: true);

    /// <summary>A side that has ended ends the other one, also while that one is held.</summary>
    private static async Task EndAllAsync(Task pump, CancellationTokenSource end)
    {
        try
        {
            await pump;
        }
        finally
        {
            await end.CancelAsync();
        }
    }

    private async Task PumpAsync(Socket from, Socket to, bool isRequest, CancellationToken cancellationToken)
    {
        var piece = new byte[PieceBytes];
        var kept = new ArrayBufferWriter<byte>();
        while (await from.ReceiveAsync(piece, cancellationToken) is var bytes and > 0)
        {
            await DelayAsync(bytes, cancellationToken);
            await proxy.WhileHeldAsync(this, isRequest, 1, cancellationToken);
            if (isRequest)
            {
                _watch.Requested(piece.AsSpan(0, bytes));
                await SendAsync(to, piece.AsMemory(0, bytes), cancellationToken);
                continue;
            }

            var rules = proxy.Rules;
            var cuts = rules.CutCommits > 0 && IsStruckBy(rules);
            var commits = _watch.Answered(piece.AsSpan(0, bytes));
            for (var i = 0; i < commits; i++)
            {
                proxy.Counts.AddCommit();
                if (cuts && proxy.Draw() < rules.CutCommits)
                {
                    proxy.Counts.AddCommitCut();
                    Reset();
                    return;
                }
            }

            kept.Write(piece.AsSpan(0, bytes));
            if (cuts && _watch.MayCommit)
                continue;
            await SendAsync(to, kept.WrittenMemory, cancellationToken);
            kept.ResetWrittenCount();
        }
    }

    private async Task DelayAsync(int bytes, CancellationToken cancellationToken)
    {
        var rules = proxy.Rules;
        if (!IsStruckBy(rules))
            return;
        var delay = rules.Latency + rules.Jitter * proxy.Draw();
        if (rules.BytesPerSecond > 0)
            delay += FromSeconds((double)bytes / rules.BytesPerSecond);
        if (delay <= TimeSpan.Zero)
            return;
        proxy.Counts.AddDelayed(bytes);

        // A timer drops fractions of a millisecond and may fire one early; a rule promises its whole delay.
        var began = Stopwatch.GetTimestamp();
        for (var left = delay; left > TimeSpan.Zero; left = delay - Stopwatch.GetElapsedTime(began))
            await Task.Delay(FromMilliseconds(Math.Ceiling(left.TotalMilliseconds)), cancellationToken);
    }

    private static async Task SendAsync(Socket to, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        while (!bytes.IsEmpty)
            bytes = bytes[await to.SendAsync(bytes, cancellationToken)..];
    }

    private bool Close(bool reset)
    {
        if (Interlocked.Exchange(ref _closed, 1) != 0)
            return false;

        // Before the client can see the reset and look at the counts.
        if (reset)
            proxy.Counts.AddCut();
        foreach (var side in (Socket[])[client, _server])
        {
            if (reset)
                side.Close(0);
            else
                side.Dispose();
        }

        return true;
    }
}
