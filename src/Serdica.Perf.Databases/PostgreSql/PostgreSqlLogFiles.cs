namespace Serdica.Perf.Databases.PostgreSql;

/// <summary>
/// The files of a server's write-ahead log. A server that has been in use writes over old ones; a new one makes each
/// 16 MiB anew, filled with zeros and flushed, while commits wait for it. What is measured on a new server is meant to
/// hold for one in use.
/// </summary>
internal static class PostgreSqlLogFiles
{
    /// <summary>Free space that must be left on the disk, as a multiple of what the files take.</summary>
    private const int FreeSpaceFactor = 3;

    private const int TimeoutSeconds = 120;

    private const long Mebibyte = 1 << 20;

    /// <summary>
    /// Makes the files that will be filled, unless they are there, up to those that <c>min_wal_size</c> lets the server keep.
    /// Some seconds for 1 GB. A server that the suite did not start is left as it is. A disk with little room gets fewer, with
    /// a warning.
    /// </summary>
    /// <param name="expectedBytes">See <see cref="DatabaseRequest.ExpectedLogBytes"/>.</param>
    /// <exception cref="DatabaseStartException">The server could not create them.</exception>
    public static async Task MakeAheadAsync(DatabaseServer server, long? expectedBytes, ILogger logger, CancellationToken cancellationToken)
    {
        if (server.Description.Source == DatabaseSourceKind.External)
            return;

        try
        {
            var settings = new NpgsqlConnectionStringBuilder(server.ConnectionString) { Pooling = false, CommandTimeout = TimeoutSeconds };
            await using var connection = new NpgsqlConnection(settings.ConnectionString);
            await connection.OpenAsync(cancellationToken);
            await MakeAheadAsync(connection, server.DataFolder, expectedBytes ?? long.MaxValue, logger, cancellationToken);
        }
        catch (NpgsqlException e)
        {
            throw new DatabaseStartException($"{server.Description.Product} could not create its log files in advance ({e.Message}).");
        }
    }

    private static async Task MakeAheadAsync(
        NpgsqlConnection connection,
        string? dataFolder,
        long expectedBytes,
        ILogger logger,
        CancellationToken cancellationToken
    )
    {
        var started = TimeProvider.System.GetTimestamp();
        var (present, kept, bytes) = await ReadFilesAsync(connection, cancellationToken);

        // Those that will be filled, the rest of a last one, and one because the log begins within a file.
        var wanted = Math.Min(kept, (expectedBytes / bytes) + 2) - present;
        if (
            dataFolder is not null
            && new DriveInfo(dataFolder).AvailableFreeSpace is var free
            && Affordable(free, bytes) is var affordable
            && affordable < wanted
        )
        {
            Log.LittleRoomForLogFiles(logger, affordable, wanted, bytes / Mebibyte, dataFolder, free / Mebibyte);
            wanted = affordable;
        }

        if (wanted <= 0)
            return;

        Log.MakingLogFiles(logger, wanted, bytes / Mebibyte);

        // An empty message, so that there is something to close a file after. The checkpoint gives the closed files back.
        await ExecuteAsync(
            connection,
            $"select count(pg_logical_emit_message(false, '', '')), count(pg_switch_wal()) from generate_series(1, "
                + $"{wanted.ToString(CultureInfo.InvariantCulture)})",
            cancellationToken
        );
        await ExecuteAsync(connection, "checkpoint", cancellationToken);
        Log.MadeLogFiles(logger, wanted, bytes / Mebibyte, TimeProvider.System.GetElapsedTime(started).TotalMilliseconds);
    }

    /// <summary>How many files a disk has room for.</summary>
    internal static long Affordable(long freeBytes, long fileBytes) => freeBytes / FreeSpaceFactor / fileBytes;

    /// <returns>How many files there are, how many the server keeps, and the size of one.</returns>
    private static async Task<(long Present, long Kept, long Bytes)> ReadFilesAsync(
        NpgsqlConnection connection,
        CancellationToken cancellationToken
    )
    {
        await using var command = new NpgsqlCommand(
            """
            select
                (select count(*) from pg_ls_waldir()),
                pg_size_bytes(current_setting('min_wal_size')) / pg_size_bytes(current_setting('wal_segment_size')),
                pg_size_bytes(current_setting('wal_segment_size'))
            """,
            connection
        );
        await using var reader = await command.ExecuteReaderAsync(cancellationToken);
        await reader.ReadAsync(cancellationToken);
        return (reader.GetInt64(0), reader.GetInt64(1), reader.GetInt64(2));
    }

    private static async Task ExecuteAsync(NpgsqlConnection connection, string statement, CancellationToken cancellationToken)
    {
        await using var command = new NpgsqlCommand(statement, connection);
        await command.ExecuteNonQueryAsync(cancellationToken);
    }
}
