using System.Net;

namespace Serdica.Perf.Cli.Tests;

/// <summary>Worker processes run workflows that this process starts.</summary>
public sealed class WorkerCommandTests : CliTests
{
    private const string Store = "visits";
    private const int Killed = 128 + 9;

    private static readonly WorkflowDefinition<OtherInTheSecondRun.Visit> Visit = Workflow
        .Define<OtherInTheSecondRun.Visit>("visit")
        .WaitFor<int>("arrived", (visit, minute) => visit.Minute = minute)
        .Build();

    [Fact]
    public async Task Workers_close_instances_of_another_process_and_one_that_is_killed_is_not_missed()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Signals are sent by 'kill'.");
        await using var server = await LocalServer.StartOrSkipAsync();
        await using var backend = Open(server);
        await using var client = new WorkflowClient(backend, new WorkflowRegistry([Visit]));
        using var first = Worker.Start(server, "--json", "--status-interval", "1");
        using var second = Worker.Start(server);
        await first.UntilAsync("running");
        await second.UntilAsync("running");

        await VisitAsync(client, 40);
        await second.KillAsync("KILL");
        Assert.Equal(Killed, await second.EndAsync());
        await VisitAsync(client, 40);
        await first.KillAsync("TERM");

        Assert.Equal(ExitCodes.Success, await first.EndAsync());
        using var last = JsonDocument.Parse(first.Lines[^1]);
        Assert.Equal("stopped", last.RootElement.Text("state"));
        Assert.InRange(last.RootElement.GetProperty("counters").Int64("signals"), 40, 80);
        Assert.True(last.RootElement.GetProperty("clock").Number("uncertaintyMs") > 0);
        Assert.Equal(80, (await backend.TakeCensusAsync(Token)).Count(InstanceStatus.Completed));
    }

    [Fact]
    public async Task Worker_that_is_asked_ends_with_its_input()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        using var worker = Worker.Start(server, "--until-input-ends");
        await worker.UntilAsync("running");

        worker.EndInput();

        Assert.Equal(ExitCodes.Success, await worker.EndAsync());
        Assert.Contains("stopped", worker.Lines[^1]);
    }

    [Fact]
    public async Task Worker_answers_each_line_of_its_input_with_its_status()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        using var worker = Worker.Start(server, "--until-input-ends", "--json", "--status-interval", "0");
        await worker.UntilAsync("running");
        var before = worker.Lines.Count;

        await worker.TellAsync("status");
        await worker.UntilAsync("running", before);

        using var status = JsonDocument.Parse(worker.Lines[before]);
        var process = status.RootElement.GetProperty("process");
        Assert.Equal(worker.Id, process.Int32("id"));
        Assert.True(process.Number("processorMs") > 0);
        if (OperatingSystem.IsLinux())
            Assert.True(process.Int32("connections") > 0);
        worker.EndInput();
        Assert.Equal(ExitCodes.Success, await worker.EndAsync());
    }

    [Fact]
    public async Task Health_is_refused_from_the_moment_when_the_database_is_gone()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        var port = FreePort();
        using var worker = Worker.Start(server, "--until-input-ends", "--health-port", port.ToString(CultureInfo.InvariantCulture));
        await worker.UntilAsync("running");
        using var http = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{port}") };

        // A busy machine may be late with its first answers.
        await UntilAsync(http, HttpStatusCode.OK);
        using var unknown = await http.GetAsync("/other", Token);
        await server.DisposeAsync();
        var body = await UntilAsync(http, HttpStatusCode.ServiceUnavailable);

        using var counters = await http.GetAsync("/counters", Token);
        Assert.Equal((HttpStatusCode.NotFound, HttpStatusCode.OK), (unknown.StatusCode, counters.StatusCode));
        Assert.Contains("\"trouble\"", body);
        worker.EndInput();
        Assert.Equal(ExitCodes.Success, await worker.EndAsync());
    }

    [Fact]
    public async Task Worker_joins_a_run_and_leaves_it_with_its_store()
    {
        const int Operations = 600;
        await using var server = await ServeAsync();
        using var worker = Worker.Join(server);
        await worker.UntilAsync("Waiting for a run");

        // The host of the run alone needs a minute.
        var exitCode = await Cli.MeasureAsync(
            $"run --scenario postgresql-{Worker.Joined} --load closed --operations {Operations} --warmup 0 --workers 1 "
                + "--engine claim-batch=1 --step-delay 100ms --hosts 1"
        );
        await worker.UntilAsync("Left serdica_perf_");
        worker.EndInput();

        Assert.True(exitCode == ExitCodes.Success, Cli.Error + Cli.Output);
        Assert.Equal(ExitCodes.Success, await worker.EndAsync());
        using var status = JsonDocument.Parse(worker.Lines.Last(line => line.Contains("\"stopped\"")));
        var joined = status.RootElement.GetProperty("counters").Int64("signals");
        var scenario = Assert.Single(BaselineReader.Read(Cli.RunFolder).Scenarios);
        Assert.Equal((Operations, 0), (scenario.Counts.Completed, scenario.Counts.SignalsLeft));
        Assert.InRange(joined, 1, Operations);
        Assert.Equal(Operations, joined + Assert.Single(scenario.Processes!.Hosts).Counters.Signals);
        Assert.Equal(0, await WholeProgram.StoresAsync(server));
    }

    [Theory]
    [InlineData("--store shop", "leave out --store and --health-port")]
    [InlineData("--health-port 8081", "leave out --store and --health-port")]
    [InlineData("--backend mongodb", "Runs on 'mongodb' cannot be joined; --join-runs works on postgresql and citus.")]
    public async Task Runs_that_cannot_be_joined_are_refused(string options, string sentence)
    {
        Cli.Variables["SERDICA_PERF_POSTGRESQL"] = "Host=127.0.0.1;Port=1;Timeout=1";

        Assert.Equal(ExitCodes.Usage, await Cli.TypeAsync($"worker --join-runs --scenario {Worker.Joined} {options}"));
        Assert.Contains(sentence, Cli.Error);
    }

    [Fact]
    public async Task Joining_names_the_variable_of_the_measured_server()
    {
        Cli.Variables["SERDICA_WORKFLOW_POSTGRESQL"] = "Host=127.0.0.1;Port=1;Timeout=1";

        Assert.Equal(ExitCodes.BackendUnavailable, await Cli.TypeAsync($"worker --join-runs --scenario {Worker.Joined}"));
        Assert.Contains("SERDICA_PERF_POSTGRESQL", Cli.Error);
    }

    [Fact]
    public async Task Misspelt_scenario_is_refused()
    {
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("worker", "--scenario", "signal-roundtripp"));
        Assert.Contains("There is no scenario 'signal-roundtripp'", Cli.Error);
    }

    [Fact]
    public async Task Scenario_without_workflows_is_refused()
    {
        Cli.Variables["SERDICA_WORKFLOW_POSTGRESQL"] = "Host=127.0.0.1;Port=1;Timeout=1";

        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("worker", "--scenario", "immediate-burst-smoke"));
        Assert.Contains("no workflow that a worker could run", Cli.Error);
    }

    [Fact]
    public async Task Without_a_server_the_variable_is_named()
    {
        Assert.Equal(ExitCodes.BackendUnavailable, await Cli.RunAsync("worker", "--scenario", "signal-roundtrip-latency-serial"));
        Assert.Contains("SERDICA_WORKFLOW_POSTGRESQL", Cli.Error);
    }

    [Fact]
    public async Task Port_in_use_is_refused()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var port = ((IPEndPoint)listener.LocalEndpoint).Port.ToString(CultureInfo.InvariantCulture);
        Cli.Variables["SERDICA_WORKFLOW_POSTGRESQL"] = "Host=127.0.0.1;Port=1;Timeout=1";

        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("worker", "--scenario", "signal-roundtrip-latency-serial", "--health-port", port));
        Assert.Contains($"Port {port} of 127.0.0.1 is not available", Cli.Error);
    }

    /// <returns>The body of the first answer with the status.</returns>
    private static Task<string> UntilAsync(HttpClient http, HttpStatusCode status)
    {
        var last = "";
        return HangGuard.FindAsync(
            async () =>
            {
                using var answer = await http.GetAsync("/health", Token);
                var body = await answer.Content.ReadAsStringAsync(Token);
                last = $"{answer.StatusCode}: {body}";
                return answer.StatusCode == status ? body : null;
            },
            () => $"/health still answers {last}"
        );
    }

    private static async Task VisitAsync(WorkflowClient client, int count)
    {
        var started = await Task.WhenAll(
            Range(0, count).Select(_ => client.StartAsync(Visit, new OtherInTheSecondRun.Visit(), cancellationToken: Token))
        );
        var closed = started.Select(instance => client.WatchClose(instance.Id)).ToList();
        await Task.WhenAll(started.Select(instance => client.SignalAsync(instance.Id, "arrived", 1, cancellationToken: Token)));
        foreach (var close in await Task.WhenAll(closed).WaitAsync(HangGuard.Limit, Token))
            Assert.Equal(InstanceStatus.Completed, close.Status);
    }

    private static PostgreSqlWorkflowBackend Open(DatabaseServer server) =>
        new(new PostgreSqlBackendOptions { ConnectionString = server.ConnectionString, Schema = Store, SubmitTimeout = HangGuard.Limit });

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    /// <summary>A process of the tool that runs the workflow of this assembly.</summary>
    private sealed class Worker : IDisposable
    {
        /// <summary>The scenario whose runs it joins.</summary>
        public const string Joined = "signal-roundtrip-throughput-parallel";

        private readonly Process _process;
        private readonly List<string> _lines = [];

        private Worker(Process process)
        {
            _process = process;
            _process.OutputDataReceived += (_, line) => Keep(line.Data);
            _process.ErrorDataReceived += (_, line) => Keep(line.Data);
            _process.BeginOutputReadLine();
            _process.BeginErrorReadLine();
        }

        public IReadOnlyList<string> Lines
        {
            get
            {
                lock (_lines)
                    return [.. _lines];
            }
        }

        public static Worker Start(DatabaseServer server, params string[] arguments) =>
            Start(
                "SERDICA_WORKFLOW_POSTGRESQL",
                server,
                [
                    "--assembly",
                    typeof(OtherInTheSecondRun).Assembly.Location,
                    "--scenario",
                    OtherInTheSecondRun.Wrong.Name,
                    "--store",
                    Store,
                    .. arguments,
                ]
            );

        public static Worker Join(DatabaseServer server) =>
            Start("SERDICA_PERF_POSTGRESQL", server, ["--join-runs", "--scenario", Joined, "--json", "--until-input-ends"]);

        private static Worker Start(string variable, DatabaseServer server, string[] arguments)
        {
            var start = new ProcessStartInfo(MeasuringProgram.DotNet, ["exec", MeasuringProgram.Here.Assembly, "worker", .. arguments])
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            };
            start.Environment[variable] = server.ConnectionString;
            return new Worker(Process.Start(start)!);
        }

        public int Id => _process.Id;

        public Task TellAsync(string line) => _process.StandardInput.WriteLineAsync(line);

        /// <param name="after">How many lines do not count.</param>
        public Task UntilAsync(string word, int after = 0) =>
            HangGuard.UntilAsync(
                () =>
                {
                    if (Lines.Skip(after).Any(line => line.Contains(word)))
                        return true;
                    Assert.False(_process.HasExited, $"The worker has ended: {string.Join('\n', Lines)}");
                    return false;
                },
                () => $"The worker has not said '{word}': {string.Join('\n', Lines)}"
            );

        public Task KillAsync(string signal) => _process.SignalAsync(signal);

        public void EndInput() => _process.StandardInput.Close();

        public async Task<int> EndAsync()
        {
            await _process.WaitForExitAsync(Token).WaitAsync(HangGuard.Limit, Token);
            return _process.ExitCode;
        }

        public void Dispose()
        {
            if (!_process.HasExited)
                _process.Kill(entireProcessTree: true);
            _process.Dispose();
        }

        private void Keep(string? line)
        {
            if (line is null)
                return;
            lock (_lines)
                _lines.Add(line);
        }
    }
}
