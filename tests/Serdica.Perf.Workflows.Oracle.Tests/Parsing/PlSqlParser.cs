using System.ComponentModel;
using System.Security.Cryptography;

namespace Serdica.Perf.Workflows.Oracle.Tests.Parsing;

/// <summary>
/// A PL/SQL grammar that runs on Node, fetched once into a folder of this user's own. Texts that it has found right are
/// remembered there by their hash: a package takes it a minute.
/// </summary>
/// <remarks>
/// What is in the folder is run, and what is remembered there makes tests green, so nobody else may have made it. The lock file
/// names each package by its hash, and no package runs a script of its own when it is installed.
/// </remarks>
internal static class PlSqlParser
{
    private static readonly string[] Lock = ["package.json", "package-lock.json"];

    private static readonly string Sources = Path.Combine(AppContext.BaseDirectory, "Parsing");

    // Another lock file, or another way to parse, is another folder.
    private static readonly string Folder = Path.Combine(
        Cache,
        $"plsql-parser-{Hash(string.Concat(Lock.Append("parse.mjs").Select(file => File.ReadAllText(Path.Combine(Sources, file)))))[..16]}"
    );

    /// <summary>Installs the grammar if need be; skips the test with a sentence where Node or the registry is missing.</summary>
    public static async Task RequireAsync(CancellationToken cancellationToken)
    {
        Assert.SkipWhen(
            await TryRunAsync("node", ["--version"], cancellationToken) is null,
            "Node is not installed: PL/SQL is not parsed."
        );
        PrivateFolder.Demand(Folder);
        if (File.Exists(Path.Combine(Folder, "installed")))
            return;
        foreach (var file in Lock)
            File.Copy(Path.Combine(Sources, file), Path.Combine(Folder, file), overwrite: true);
        var installed = await TryRunAsync(
            "npm",
            ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", Folder],
            cancellationToken
        );
        Assert.SkipWhen(installed is null, "npm could not install the PL/SQL grammar of Parsing/package-lock.json: PL/SQL is not parsed.");
        await File.WriteAllTextAsync(Path.Combine(Folder, "installed"), "", cancellationToken);
    }

    /// <summary>The syntax errors of texts, by name; a text without errors has no entry.</summary>
    public static async Task<IReadOnlyDictionary<string, string[]>> ParseAsync(
        IReadOnlyDictionary<string, string> texts,
        CancellationToken cancellationToken
    )
    {
        var scratch = Directory.CreateTempSubdirectory("serdica-perf-plsql-").FullName;
        try
        {
            var files = new List<string>();
            foreach (var (name, text) in texts.Where(text => !File.Exists(Remembered(text.Value))))
            {
                files.Add(Path.Combine(scratch, name));
                await File.WriteAllTextAsync(files[^1], text, cancellationToken);
            }

            return files.Count == 0 ? new Dictionary<string, string[]>() : await ParseAsync(texts, files, cancellationToken);
        }
        finally
        {
            Directory.Delete(scratch, recursive: true);
        }
    }

    private static async Task<IReadOnlyDictionary<string, string[]>> ParseAsync(
        IReadOnlyDictionary<string, string> texts,
        List<string> files,
        CancellationToken cancellationToken
    )
    {
        var program = Path.Combine(Sources, "parse.mjs");
        var output = await TryRunAsync("node", [program, Folder, .. files], cancellationToken);
        Assert.True(output is not null, "The parser failed as a program; run Parsing/parse.mjs by hand to see why.");
        var found = new Dictionary<string, string[]>();
        var lines = output.Split('\n', RemoveEmptyEntries);
        Assert.Equal(files.Count, lines.Length);
        foreach (var line in lines)
        {
            using var json = JsonDocument.Parse(line);
            var name = json.RootElement.GetProperty("file").GetString()!;
            var errors = json.RootElement.GetProperty("errors").EnumerateArray().Select(error => error.GetString()!).ToArray();
            if (errors.Length > 0)
                found[name] = errors;
            else
                await File.WriteAllTextAsync(Remembered(texts[name]), name, cancellationToken);
        }

        return found;
    }

    private static string Remembered(string text) => Path.Combine(Folder, Hash(text) + ".parsed");

    private static string Hash(string text) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)));

    private static string Cache =>
        Path.Combine(
            OperatingSystem.IsWindows()
                ? Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData)
                : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".cache"),
            "serdica-perf-tests"
        );

    /// <returns>What the program printed; null when it is not there or failed.</returns>
    private static async Task<string?> TryRunAsync(string program, string[] arguments, CancellationToken cancellationToken)
    {
        var start = new ProcessStartInfo(OperatingSystem.IsWindows() && program == "npm" ? "npm.cmd" : program, arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        try
        {
            using var process = Process.Start(start)!;
            var output = process.StandardOutput.ReadToEndAsync(cancellationToken);
            var errors = process.StandardError.ReadToEndAsync(cancellationToken);
            await process.WaitForExitAsync(cancellationToken);
            await errors;
            return process.ExitCode == 0 ? await output : null;
        }
        catch (Win32Exception)
        {
            return null;
        }
    }
}
