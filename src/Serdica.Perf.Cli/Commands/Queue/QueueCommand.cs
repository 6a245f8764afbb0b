using System.CommandLine;
using Serdica.Perf.Databases;

namespace Serdica.Perf.Cli.Commands.Queue;

/// <summary>`queue`: measures the bare queue with writers and readers.</summary>
internal sealed class QueueCommand
{
    public QueueCommand(TextWriter output, TextWriter error, DatabaseEnvironment environment)
    {
        Command = new("queue", "Measures the bare queue of a backend with writers and readers, without workflows.");
        var options = new QueueOptionSet(Command);
        Command.SetAction((parsed, cancellationToken) =>
        {
            var request = options.Read(parsed);
            var test = new QueueTestRun(request) { Command = RunCommand.CommandText(parsed), Session = request.Session };
            return test.RunAsync(output, error, environment, cancellationToken);
        });
    }

    public Command Command { get; }
}
