using System.Diagnostics.CodeAnalysis;

namespace Serdica.Perf.Cli.Tests;

/// <summary>Runs the command line in this process and keeps what it prints.</summary>
internal sealed class Cli : IDisposable
{
    /// <summary>A server that is to be measured makes gigabytes of log in advance, which slow everything down that uses the disk.</summary>
    private static readonly string FewLogFiles = Path.Combine(AppContext.BaseDirectory, "few-log-files.conf");

    private readonly ObservedWriter _output = new();
    private readonly ObservedWriter _error = new();

    /// <summary>Where runs are written; removed with this object.</summary>
    public string Folder { get; } = Directory.CreateTempSubdirectory("serdica-perf-cli-").FullName;

    public string Output => _output.ToString();

    /// <summary>Called with each line of the output, while the command runs.</summary>
    public Action<string> OnLine
    {
        set => _output.OnLine = value;
    }

    public string Error => _error.ToString();

    /// <summary>The server that is measured.</summary>
    public DatabaseServer Server
    {
        set => Variables["SERDICA_PERF_POSTGRESQL"] = value.ConnectionString;
    }

    /// <summary>The environment of a machine without any database variable but those given.</summary>
    public Dictionary<string, string> Variables { get; } = [];

    /// <summary>The one run folder.</summary>
    public string RunFolder => Assert.Single(Directory.GetDirectories(Folder));

    /// <summary>The path of a file in the run folder.</summary>
    public string PathOf(string name) => Path.Combine(RunFolder, name);

    public string Written(string file) => File.ReadAllText(PathOf(file));

    public JsonDocument Parsed(string file) => JsonDocument.Parse(Written(file));

    public JsonDocument Summary() => Parsed("summary.json");

    public T Read<T>(string file) => JsonSerializer.Deserialize<T>(Written(file), MeasurementJson.Artifacts)!;

    /// <summary>Writes a document of a run next to the runs.</summary>
    public string Write(string name, RunResult run)
    {
        var path = Path.Combine(Folder, name);
        File.WriteAllText(path, JsonSerializer.Serialize(run, MeasurementJson.Artifacts));
        return path;
    }

    public Task<int> RunAsync(CancellationToken cancellationToken, params string[] args) =>
        new CommandLineApplication(_output, _error, new DatabaseEnvironment(Read)).RunAsync(args, cancellationToken);

    public Task<int> RunAsync(params string[] args) => RunAsync(Token, args);

    /// <summary>Runs a command as it is typed: words with one blank between them, then others that are not in the line.</summary>
    public Task<int> TypeAsync(string line, params string[] others) => RunAsync([.. line.Split(' '), .. others]);

    /// <summary>Runs a command as it is typed, with the results in the folder.</summary>
    public Task<int> MeasureAsync(string line, params string[] others) => TypeAsync(line, [.. others, "--output", Folder]);

    /// <summary>Makes the runs of <see cref="MeasureInThisProcessAsync"/>.</summary>
    public ProgramRun Measuring { get; set; } = RunAsync;

    /// <summary>As <see cref="MeasureAsync"/>, and the runs that the command needs have no processes of their own.</summary>
    public Task<int> MeasureInThisProcessAsync(string line, params string[] others) =>
        new CommandLineApplication(_output, _error, new DatabaseEnvironment(Read))
        {
            Program = MeasuringProgram.Here with { InPlace = Measuring },
        }.RunAsync([.. line.Split(' '), .. others, "--output", Folder], Token);

    private static async Task<(int ExitCode, string Output, string Error)> RunAsync(
        IReadOnlyList<string> arguments,
        IReadOnlyDictionary<string, string> variables,
        CancellationToken cancellationToken
    )
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        var environment = new DatabaseEnvironment(name => variables.GetValueOrDefault(name) ?? Environment.GetEnvironmentVariable(name));
        var exitCode = await new CommandLineApplication(output, error, environment).RunAsync(arguments, cancellationToken);
        return (exitCode, output.ToString(), error.ToString());
    }

    /// <summary>Skips the test where a command had no PostgreSQL to measure; fails it where one is required.</summary>
    public void SkipWithoutPostgreSql(int exitCode)
    {
        if (exitCode == ExitCodes.BackendUnavailable)
            SkipWithoutPostgreSql($"There is no PostgreSQL on this machine: {Error}{Output}");
    }

    /// <summary>Skips the test; fails it where a PostgreSQL is required.</summary>
    [DoesNotReturn]
    public static void SkipWithoutPostgreSql(string reason)
    {
        Assert.False(DatabaseEnvironment.Current.IsRequired(DatabaseEnvironment.PostgreSql, ClosestName.Question), reason);
        Assert.Skip(reason);
        throw new InvalidOperationException();
    }

    public void Dispose() => Directory.Delete(Folder, recursive: true);

    private string? Read(string name) =>
        Variables.TryGetValue(name, out var value) ? value
        : name == "SERDICA_PERF_POSTGRESQL_SETTINGS" && !Variables.ContainsKey("SERDICA_PERF_POSTGRESQL") ? FewLogFiles
        : null;

    /// <summary>A test may read what a command has printed while the command prints.</summary>
    private sealed class ObservedWriter : StringWriter
    {
        private readonly Lock _gate = new();

        public Action<string>? OnLine { get; set; }

        public override void Write(char value)
        {
            lock (_gate)
                base.Write(value);
        }

        public override void Write(string? value)
        {
            lock (_gate)
                base.Write(value);
        }

        public override void Write(char[] buffer, int index, int count)
        {
            lock (_gate)
                base.Write(buffer, index, count);
        }

        public override void Write(ReadOnlySpan<char> buffer)
        {
            lock (_gate)
                base.Write(buffer);
        }

        public override void WriteLine(string? value)
        {
            lock (_gate)
                base.WriteLine(value);
            OnLine?.Invoke(value ?? "");
        }

        public override string ToString()
        {
            lock (_gate)
                return base.ToString();
        }
    }
}
