using System.Net.Sockets;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <remarks>Compiled into the MongoDB backend too.</remarks>
internal static class NpgsqlErrors
{
    /// <summary>
    /// Npgsql throws a plain <see cref="Exception"/>, and breaks the connection, where it does not expect an answer. It takes a prepared
    /// statement that failed when it was first bound for one without rows: its <c>NpgsqlDataReader.NextResult</c>.
    /// </summary>
    public static bool IsDriverError(Exception error) =>
        error is NpgsqlException or TimeoutException or SocketException or IOException || error.GetType() == typeof(Exception);
}
