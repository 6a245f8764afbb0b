namespace Serdica.Perf.Cli.Output;

/// <summary>Spectre consoles on given writers.</summary>
internal static class Consoles
{
    /// <summary>Wide enough for every table where no terminal says how wide it is.</summary>
    private const int WidthWithoutTerminal = 200;

    /// <summary>Whether the writer is the process's output and somebody watches it.</summary>
    public static bool IsTerminal(TextWriter writer) => ReferenceEquals(writer, Console.Out) && !Console.IsOutputRedirected;

    /// <summary>Live where somebody watches, lines elsewhere.</summary>
    public static IConsoleObserver Observer(TextWriter writer) =>
        IsTerminal(writer) ? new LiveObserver(For(writer)) : new PlainObserver(writer.WriteLine);

    /// <summary>The console of a writer: with colours and as wide as the terminal when the writer is one.</summary>
    public static IAnsiConsole For(TextWriter writer)
    {
        if (IsTerminal(writer))
            return AnsiConsole.Console;

        var console = AnsiConsole.Create(
            new AnsiConsoleSettings
            {
                Ansi = AnsiSupport.No,
                ColorSystem = ColorSystemSupport.NoColors,
                Interactive = InteractionSupport.No,
                Out = new AnsiConsoleOutput(writer),
            }
        );
        console.Profile.Width = WidthWithoutTerminal;
        return console;
    }
}

internal static class NumberColumns
{
    /// <summary>Adds columns of numbers.</summary>
    public static Table AddNumbers(this Table table, params IEnumerable<string> columns)
    {
        foreach (var column in columns)
            table.AddColumn(new TableColumn(column).RightAligned().NoWrap());
        return table;
    }
}

/// <summary>Shows the progress of a run on a console until it is disposed.</summary>
internal interface IConsoleObserver : IRunObserver, IDisposable;
