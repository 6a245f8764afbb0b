namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>What it took to have sessions hand their counts over to the server's statistics.</summary>
/// <param name="RoundTrips">Requests, which the driver counts as those of the engine.</param>
/// <param name="Commits">Transactions, which the server counts as those of the engine.</param>
/// <param name="All">Whether all sessions did; one that is in use can't.</param>
internal readonly record struct PostgreSqlReports(int RoundTrips, int Commits, bool All)
{
    public static PostgreSqlReports operator +(PostgreSqlReports one, PostgreSqlReports other) =>
        new(one.RoundTrips + other.RoundTrips, one.Commits + other.Commits, one.All && other.All);

    /// <summary>From version 15 on; earlier ones do not know how.</summary>
    public static async Task RequestAsync(NpgsqlConnection connection, PostgreSqlScripts scripts, CancellationToken cancellationToken)
    {
        var command = new NpgsqlCommand(scripts["statistics-report"], connection);
        await using (command.ConfigureAwait(false))
            await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
    }
}
