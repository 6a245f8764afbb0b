using System.Data.Common;

namespace Serdica.Perf.Results.Scrubbing;

/// <summary>
/// Keeps the parts of a connection string that a reader of a report may see (host, port, database, options) and drops the login.
/// Understands <c>key=value;</c> strings and URLs. A string that it cannot parse is dropped as a whole.
/// </summary>
internal static class ConnectionStringRedactor
{
    private const string Unreadable = "(connection string not readable)";

    /// <summary>Parts of key names that mark secrets, identities, and paths on the machine.</summary>
    private static readonly string[] DroppedKeys =
    [
        "password",
        "passwd",
        "pwd",
        "user",
        "uid",
        "passfile",
        "passphrase",
        "secret",
        "token",
        "credential",
        "certificate",
        "sslcert",
        "ssl key",
        "sslkey",
        "keyfile",
        "cafile",
        "wallet",
        "proxy",
        "authmechanismproperties",
    ];

    /// <summary>Removes the parts that a report must not show. Applied twice, it changes nothing the second time.</summary>
    public static string Redact(string connectionString) =>
        connectionString.Contains("://", Ordinal) ? RedactUrl(connectionString) : RedactPairs(connectionString);

    private static string RedactUrl(string url)
    {
        var scheme = url[..(url.IndexOf("://", Ordinal) + 3)];

        // Cut at the last @: a password may contain unescaped /, ? and @, and keeping too little is better than keeping a piece of it.
        var rest = url[(Math.Max(url.LastIndexOf('@') + 1, scheme.Length))..].Split('?', 2);
        var options = rest.Length == 1 ? [] : rest[1].Split('&').Where(option => IsKept(option.Split('=')[0])).ToArray();
        return scheme + rest[0] + (options.Length == 0 ? "" : "?" + string.Join('&', options));
    }

    private static string RedactPairs(string connectionString)
    {
        if (connectionString == Unreadable)
            return Unreadable;
        try
        {
            var builder = new DbConnectionStringBuilder { ConnectionString = connectionString };
            var kept = new DbConnectionStringBuilder();
            foreach (string key in builder.Keys)
            {
                if (IsKept(key))
                    kept[key] = WithoutPath((string)builder[key]);
            }

            return kept.ConnectionString;
        }
        catch (ArgumentException)
        {
            return Unreadable;
        }
    }

    private static bool IsKept(string key) => !DroppedKeys.Any(dropped => key.Contains(dropped, OrdinalIgnoreCase));

    // A host may be the folder of a Unix socket.
    private static string WithoutPath(string value) => value.StartsWith('/') ? "(path)" : value;
}
