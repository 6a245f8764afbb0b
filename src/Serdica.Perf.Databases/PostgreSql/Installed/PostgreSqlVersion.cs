using System.ComponentModel;

namespace Serdica.Perf.Databases.PostgreSql.Installed;

/// <summary>Version of an installed PostgreSQL.</summary>
internal static class PostgreSqlVersion
{
    /// <summary>The oldest major version that the suite supports.</summary>
    public const int Oldest = 14;

    /// <summary>The newest major version that the suite supports.</summary>
    public const int Newest = 18;

    /// <summary>Asks <c>postgres --version</c> in the folder; <see langword="null"/> when it gives no version.</summary>
    public static Version? Of(string folder)
    {
        var start = new ProcessStartInfo(Path.Combine(folder, PostgreSqlBinaries.Executable("postgres")), "--version")
        {
            RedirectStandardOutput = true,
            WorkingDirectory = folder,
        };

        try
        {
            using var process = Process.Start(start)!;
            return Parse(process.StandardOutput.ReadToEnd());
        }
        catch (Win32Exception)
        {
            // Not a program for this machine, or not allowed to run.
            return null;
        }
    }

    /// <summary>Reads <c>postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)</c>; a beta such as <c>18beta2</c> counts as 18.0.</summary>
    public static Version? Parse(string text)
    {
        const string Product = "(PostgreSQL) ";
        var start = text.IndexOf(Product, Ordinal);

        if (start < 0)
            return null;

        var number = text[(start + Product.Length)..].Trim().Split(' ')[0];
        var digits = string.Concat(number.TakeWhile(c => char.IsAsciiDigit(c) || c == '.')).TrimEnd('.');

        return Version.TryParse(digits.Contains('.', Ordinal) ? digits : digits + ".0", out var version) ? version : null;
    }
}
