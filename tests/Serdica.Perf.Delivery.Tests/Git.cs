using System.ComponentModel;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>Asks git about this repository.</summary>
internal static class Git
{
    /// <summary>What git answers; an exit code other than 0 on a machine without git.</summary>
    public static async Task<CommandResult> RunAsync(params string[] arguments)
    {
        try
        {
            return await DotnetCommand.RunProgramAsync("git", Repository.Root, new Dictionary<string, string>(), arguments);
        }
        catch (Win32Exception error)
        {
            // There is no such program.
            return new(-1, error.Message);
        }
    }
}
