using Serdica.Perf.Cli;

return await new CommandLineApplication(Console.Out, Console.Error).RunAsync(args);
