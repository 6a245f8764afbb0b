namespace Serdica.Perf.Cli.Commands;

/// <summary>`serve`: shows all runs in a browser on this machine.</summary>
internal sealed class ServeCommand
{
    private const string Examples = """
        Examples:
          serdica-perf serve
            All runs in TestResults/workflow-performance at http://127.0.0.1:5080/.
          serdica-perf serve --output /var/runs --port 8080
            The runs in another folder, at http://127.0.0.1:8080/.

        Exit codes:
          0  ended by Ctrl-C
          2  the port is not available
        """;

    private const int DefaultPort = 5080;

    private readonly TextWriter _output;
    private readonly Option<string?> _folder = new("--output")
    {
        HelpName = "DIR",
        Description = $"The folder that holds run folders. Default {RunFolder.DefaultRoot.Replace('\\', '/')}.",
    };

    private readonly Option<int?> _port = NumberOption.Create(
        "--port",
        $"The port on 127.0.0.1. Default {DefaultPort}.",
        1,
        IPEndPoint.MaxPort
    );

    public ServeCommand(TextWriter output)
    {
        _output = output;
        Command = new DocumentedCommand("serve", "Shows all runs in a browser on this machine, on 127.0.0.1 only, until Ctrl-C.", Examples)
        {
            _folder,
            _port,
        };
        Command.SetAction(ServeAsync);
    }

    public Command Command { get; }

    private async Task<int> ServeAsync(ParseResult parsed, CancellationToken cancellationToken)
    {
        var port = parsed.GetValue(_port) ?? DefaultPort;
        using var server = new RunServer(parsed.GetValue(_folder) ?? RunFolder.DefaultRoot, port);
        try
        {
            server.Start();
        }
        catch (HttpListenerException error)
        {
            throw new UsageException($"Port {port} of 127.0.0.1 is not available: {error.Message}. Choose another with --port.");
        }

        _output.WriteLine($"Runs: {server.Address} (Ctrl-C stops it)");
        await server.RunAsync(cancellationToken);
        return ExitCodes.Success;
    }
}
