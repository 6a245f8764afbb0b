using System.Diagnostics.CodeAnalysis;
using Serdica.Perf.Cli.Options;
using Serdica.Perf.Databases;
using Serdica.Perf.Results;

namespace Serdica.Perf.Cli.Tests;

/// <summary>Runs the command line in this process and keeps what it prints.</summary>
internal sealed class Cli : IDisposable
{
    private readonly ObservedWriter _output = new();
    private readonly StringWriter _error = new();

    /// <summary>Where runs are written; removed with this object.</summary>
    public string Folder { get; } = Directory.CreateTempSubdirectory("serdica-perf-cli-").FullName;

    public string Output => _output.ToString();

    /// <summary>Called with each line of the output, while the command runs.</summary>
    public Action<string> OnLine
    {
        set => _output.OnLine = value;
    }

    public string Error => _error.ToString();

    /// <summary>The environment of a machine without any database variable but those given.</summary>
    public Dictionary<string, string> Variables { get; } = [];

    /// <summary>The one run folder.</summary>
    public string RunFolder => Assert.Single(Directory.GetDirectories(Folder));

    public Task<int> RunAsync(CancellationToken cancellationToken, params string[] args) =>
        new CommandLineApplication(_output, _error, new DatabaseEnvironment(Variables.GetValueOrDefault)).RunAsync(args, cancellationToken);

    public Task<int> RunAsync(params string[] args) => RunAsync(TestContext.Current.CancellationToken, args);

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

    private sealed class ObservedWriter : StringWriter
    {
        public Action<string>? OnLine { get; set; }

        public override void WriteLine(string? value)
        {
            base.WriteLine(value);
            OnLine?.Invoke(value ?? "");
        }
    }
}
