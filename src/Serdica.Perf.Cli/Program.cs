using Serdica.Perf.Cli.Commands;

return await new CommandLineApplication(Console.Out, Console.Error).RunAsync(args);
