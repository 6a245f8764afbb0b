namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>
/// Several generators as processes of this program, each with a store of its own on the same server. Each reports when it is
/// ready for its next step and then waits, so that all start each step together.
/// </summary>
internal static class GeneratorProcesses
{
    /// <param name="backend">The server that all use.</param>
    /// <returns>The result of each, with its run folder.</returns>
    /// <exception cref="WorkflowBackendException">One has ended without a result, or before the end of the test.</exception>
    public static async Task<IReadOnlyList<(LoadTestResult Result, string Folder)>> RunAsync(
        LoadRequest request,
        IReadOnlyList<string> arguments,
        IMeasuredBackend backend,
        RunFolder folder,
        CancellationToken cancellationToken
    )
    {
        var generators = new List<Generator>();
        try
        {
            for (var number = 1; number <= request.Generators; number++)
                generators.Add(new Generator(number, request, arguments, backend, folder));
            for (var step = 0; step < request.Profile.Steps.Count; step++)
            {
                await Task.WhenAll(generators.Select(generator => generator.ReadyAsync(step, cancellationToken)));
                foreach (var generator in generators)
                    await generator.GoAsync();
            }

            return await Task.WhenAll(generators.Select(generator => generator.EndAsync(cancellationToken)));
        }
        finally
        {
            await Task.WhenAll(generators.Select(generator => generator.DisposeAsync().AsTask()));
        }
    }

    private sealed class Generator : IAsyncDisposable
    {
        private readonly string _folder;
        private readonly int _steps;
        private readonly StartedProcess _process;

        public Generator(int number, LoadRequest request, IReadOnlyList<string> arguments, IMeasuredBackend backend, RunFolder folder)
        {
            _steps = request.Profile.Steps.Count;
            _folder = Path.Combine(folder.Path, "generators", number.ToString(CultureInfo.InvariantCulture));
            _process = new(
                $"Generator {number}",
                [
                    .. arguments,
                    "--generator",
                    number.ToString(CultureInfo.InvariantCulture),
                    "--of-generators",
                    request.Generators.ToString(CultureInfo.InvariantCulture),
                    "--output",
                    _folder,
                ],
                (backend as ServerMeasuredBackend)?.VariablesForOthers ?? new Dictionary<string, string>()
            );
        }

        public async Task ReadyAsync(int step, CancellationToken cancellationToken)
        {
            try
            {
                await _process.ReadyAsync(cancellationToken);
            }
            catch (WorkflowBackendException) when (step > 0)
            {
                // Its result says how far it came.
                await EndAsync(cancellationToken);
                throw;
            }
        }

        public Task GoAsync() => _process.TellAsync(ParentProcess.Go);

        public async Task<(LoadTestResult Result, string Folder)> EndAsync(CancellationToken cancellationToken)
        {
            await _process.Ended.WaitAsync(cancellationToken);
            if (
                !Directory.Exists(_folder)
                || Directory.GetDirectories(_folder) is not [var run]
                || !JsonFile.Exists(run, RunFolder.LoadFile)
            )
                throw _process.Problem("ended without a result");

            // One that was aborted in a step has a result of those before it.
            var result = LoadResultReader.Read(run);
            return result.Steps.Count == _steps
                ? (result, run)
                : throw _process.Problem(Invariant($"ended after {result.Steps.Count} of {Figure.Number(_steps, "step")}"));
        }

        public ValueTask DisposeAsync() => _process.DisposeAsync();
    }
}
