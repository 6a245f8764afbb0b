using System.Runtime.InteropServices;
using Microsoft.Extensions.Logging;
using Serdica.Perf.Backends.Logging;

namespace Serdica.Perf.Faults.Hosts;

/// <summary>
/// The program of this assembly: a host of the workflow of the fault tier, which writes its history. It has a few callers itself,
/// for a host decides only those signals directly that its own client sends. It stops in order when its input ends or at SIGTERM.
/// </summary>
internal static class HostProcess
{
    /// <summary>What it prints when it moves instances.</summary>
    public const string Running = "running";

    /// <summary>The line that ends the load of its callers; the answer is how many signals it has decided directly.</summary>
    public const string EndLoad = "end-load";

    public const int Callers = 4;

    private const int Unavailable = 1;

    /// <summary>Its callers end their instances, which others may have to move.</summary>
    private static readonly TimeSpan LoadLimit = FromMinutes(1);

    private static readonly TimeSpan EffectTime = FromMilliseconds(30);

    /// <summary>One first attempt in this many fails on purpose, the first of each host among them: none is too slow to have one.</summary>
    private const int FailingAttempts = 50;

    private static int _firstAttempts;

    public static async Task<int> Main(string[] args)
    {
        if (args is not [var text] || JsonSerializer.Deserialize<HostSettings>(text) is not { } settings)
        {
            await Console.Error.WriteLineAsync("'serdica-perf faults' starts this program; there is nothing to run by hand.");
            return Unavailable;
        }

        using var stop = new CancellationTokenSource();
        using var terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, signal => Stop(signal, stop));
        using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, signal => Stop(signal, stop));

        var store = (FaultedStore)Activator.CreateInstance(Type.GetType(settings.Opener, throwOnError: true)!)!;
        var (backend, reason) = store.Open(settings.Backend, settings.Store, DatabaseEnvironment.Current);
        if (backend is not null)
            return await RunAsync(settings, backend, stop);
        await Console.Error.WriteLineAsync(reason);
        return Unavailable;
    }

    private static async Task<int> RunAsync(HostSettings settings, IWorkflowBackend backend, CancellationTokenSource stop)
    {
        var time = new ShiftedTime();
        using var log = RunLog.ToConsole(Console.Error);
        await using var history = new HistoryWriter(settings.History, settings.Name, "host");
        await using var recording = new RecordingBackend(backend, history);
        var effects = new EffectRecorder(history, WorkAsync);
        await using (
            var host = new WorkflowHost(
                recording,
                new WorkflowRegistry(ShapedWorkflow.Definitions(effects, settings.Versions, HostOptions.ActivityRetry)),
                HostOptions.With(settings.Engine),
                log.Loggers.CreateLogger<WorkflowHost>(),
                time
            )
        )
        {
            var load = new FaultLoad(host.Client, history, $"{settings.Name}-c", Callers, settings.ThinkTime);

            using var input = new InputEnd(Console.In, stop.Token, line => Answer(line, time, host, load));
            try
            {
                await host.StartAsync(input.Token);
                load.Start();
                await Console.Out.WriteLineAsync(Running);
                await Task.Delay(Timeout.InfiniteTimeSpan, input.Token);
            }
            catch (OperationCanceledException) when (input.Token.IsCancellationRequested)
            {
                // Asked to stop, which is how a host ends.
            }

            await load.StopAsync(TimeSpan.Zero);
        }

        return 0;
    }

    private static async Task WorkAsync(ActivityContext context)
    {
        await Task.Delay(EffectTime, context.CancellationToken);
        if (context.Attempt == 1 && Interlocked.Increment(ref _firstAttempts) % FailingAttempts == 1)
            throw new InvalidOperationException("This attempt fails on purpose.");
    }

    private static void Stop(PosixSignalContext signal, CancellationTokenSource stop)
    {
        signal.Cancel = true;
        stop.Cancel();
    }

    /// <summary>A line is <see cref="EndLoad"/>, or a shift of the clock, whose answer is what the clock shows then.</summary>
    private static void Answer(string line, ShiftedTime time, WorkflowHost host, FaultLoad load)
    {
        if (line == EndLoad)
        {
            load.StopAsync(LoadLimit).GetAwaiter().GetResult();
            Console.Out.WriteLine(host.Counters.DirectSignals.ToString(CultureInfo.InvariantCulture));
            return;
        }

        time.Shift = TimeSpan.Parse(line, CultureInfo.InvariantCulture);
        Console.Out.WriteLine(time.GetUtcNow().ToString("O", CultureInfo.InvariantCulture));
    }
}
