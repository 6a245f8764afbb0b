using System.Diagnostics;
using System.Globalization;
using Serdica.Perf.Backends;
using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Results.Folders;
using Serdica.Perf.Results.LoadTests;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>
/// Several generators as processes of this program, each with a store of its own on the same server. Each reports when it is
/// warm and then waits, so that all start together.
/// </summary>
internal static class GeneratorProcesses
{
    private const int KeptErrors = 20;

    /// <summary>A generator that is asked to end drops its store first.</summary>
    private static readonly TimeSpan EndLimit = TimeSpan.FromMinutes(1);

    /// <param name="request">Has the number of generators.</param>
    /// <param name="arguments">The arguments for all.</param>
    /// <param name="backend">The server that all use.</param>
    /// <param name="folder">Holds their run folders.</param>
    /// <param name="cancellationToken">Ends them.</param>
    /// <returns>The result of each, with its run folder.</returns>
    /// <exception cref="WorkflowBackendException">One has ended without a result.</exception>
    public static async Task<IReadOnlyList<(LoadTestResult Result, string Folder)>> RunAsync(
        LoadRequest request, IReadOnlyList<string> arguments, IMeasuredBackend backend, RunFolder folder, CancellationToken cancellationToken)
    {
        var generators = Enumerable.Range(1, request.Generators).Select(number => new Generator(number, request, arguments, backend, folder)).ToArray();
        try
        {
            await Task.WhenAll(generators.Select(generator => generator.ReadyAsync(cancellationToken))).ConfigureAwait(false);
            foreach (var generator in generators)
                await generator.GoAsync().ConfigureAwait(false);
            return await Task.WhenAll(generators.Select(generator => generator.EndAsync(cancellationToken))).ConfigureAwait(false);
        }
        finally
        {
            await Task.WhenAll(generators.Select(generator => generator.DisposeAsync().AsTask())).ConfigureAwait(false);
        }
    }

    private sealed class Generator : IAsyncDisposable
    {
        private readonly string _folder;
        private readonly int _number;
        private readonly Process _process;
        private readonly Queue<string> _lastLines = new();
        private readonly TaskCompletionSource _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Generator(int number, LoadRequest request, IReadOnlyList<string> arguments, IMeasuredBackend backend, RunFolder folder)
        {
            _number = number;
            _folder = Path.Combine(folder.Path, "generators", number.ToString(CultureInfo.InvariantCulture));
            var start = new ProcessStartInfo("dotnet", [typeof(GeneratorProcesses).Assembly.Location, .. arguments,
                "--generator", number.ToString(CultureInfo.InvariantCulture), "--of-generators", request.Generators.ToString(CultureInfo.InvariantCulture), "--output", _folder])
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                UseShellExecute = false,
            };
            if (backend is ServerMeasuredBackend server)
            {
                foreach (var (name, value) in server.VariablesForOthers)
                    start.Environment[name] = value;
            }

            _process = Process.Start(start)!;
            _process.OutputDataReceived += (_, line) => Read(line.Data);
            _process.ErrorDataReceived += (_, line) => Read(line.Data);
            _process.BeginOutputReadLine();
            _process.BeginErrorReadLine();
        }

        public async Task ReadyAsync(CancellationToken cancellationToken)
        {
            var ended = _process.WaitForExitAsync(cancellationToken);
            if (await Task.WhenAny(_ready.Task, ended).ConfigureAwait(false) == ended)
            {
                await ended.ConfigureAwait(false);
                throw Problem("ended before it was ready");
            }
        }

        public async Task GoAsync() => await _process.StandardInput.WriteLineAsync(OneOfTheGenerators.Go).ConfigureAwait(false);

        public async Task<(LoadTestResult Result, string Folder)> EndAsync(CancellationToken cancellationToken)
        {
            await _process.WaitForExitAsync(cancellationToken).ConfigureAwait(false);
            return Directory.Exists(_folder) && Directory.GetDirectories(_folder) is [var run] && File.Exists(Path.Combine(run, RunFolder.LoadFile))
                ? (LoadResultReader.Read(run), run)
                : throw Problem("ended without a result");
        }

        public async ValueTask DisposeAsync()
        {
            // The end of its input is the request to end; it stops its load and drops its store.
            _process.StandardInput.Close();
            try
            {
                await _process.WaitForExitAsync().WaitAsync(EndLimit).ConfigureAwait(false);
            }
            catch (TimeoutException)
            {
                _process.Kill(entireProcessTree: true);
            }

            _process.Dispose();
        }

        private void Read(string? line)
        {
            if (line is null)
                return;
            if (line == OneOfTheGenerators.Ready)
                _ready.TrySetResult();
            lock (_lastLines)
            {
                _lastLines.Enqueue(line);
                if (_lastLines.Count > KeptErrors)
                    _lastLines.Dequeue();
            }
        }

        private WorkflowBackendException Problem(string what)
        {
            lock (_lastLines)
                return new($"Generator {_number} {what}: {string.Join(" ", _lastLines)}", isTransient: false);
        }
    }
}
