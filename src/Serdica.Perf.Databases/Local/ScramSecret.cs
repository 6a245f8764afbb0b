namespace Serdica.Perf.Databases.Local;

/// <summary>What a server stores of a password, in the form in which PostgreSQL takes it instead of the password itself.</summary>
internal static class ScramSecret
{
    /// <summary>
    /// Iterations make each guess at a password expensive, and each login too: with PostgreSQL's 4,096, a connection took client and server
    /// 8.3 ms of processor time instead of 4.0 (<c>pgbench -C</c>). A random password cannot be guessed, so one is enough.
    /// </summary>
    private const int Iterations = 1;

    private const int SaltBytes = 16;

    /// <summary>
    /// <c>SCRAM-SHA-256$iterations:salt$stored-key:server-key</c>, as in RFC 5803 and in PostgreSQL's <c>pg_authid</c>; the keys are those
    /// of RFC 5802, section 3.
    /// </summary>
    /// <param name="password">Random ASCII text with at least 128 bits.</param>
    public static string Of(string password)
    {
        var salt = RandomNumberGenerator.GetBytes(SaltBytes);
        var salted = Rfc2898DeriveBytes.Pbkdf2(password, salt, Iterations, HashAlgorithmName.SHA256, SHA256.HashSizeInBytes);
        var storedKey = Convert.ToBase64String(SHA256.HashData(HMACSHA256.HashData(salted, "Client Key"u8)));
        var serverKey = Convert.ToBase64String(HMACSHA256.HashData(salted, "Server Key"u8));
        return Invariant($"SCRAM-SHA-256${Iterations}:{Convert.ToBase64String(salt)}${storedKey}:{serverKey}");
    }
}
