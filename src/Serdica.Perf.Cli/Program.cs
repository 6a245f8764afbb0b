using Serdica.Perf.Cli;

try
{
    Directory.GetCurrentDirectory();
}
catch (IOException)
{
    Console.Error.WriteLine("The current folder is no longer there; change to another one.");
    return ExitCodes.Usage;
}

return await new CommandLineApplication(Console.Out, Console.Error).RunAsync(args);
