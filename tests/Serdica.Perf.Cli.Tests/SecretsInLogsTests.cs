using System.Data.Common;
using FsCheck;
using FsCheck.Fluent;
using Microsoft.Extensions.Logging;
using Serdica.Perf.Results.Scrubbing;

namespace Serdica.Perf.Cli.Tests;

/// <summary>
/// Connection strings of the three drivers with passwords of every kind, in every sentence that a driver or a part of the
/// suite might write. A password consists of pieces that occur nowhere else, so a piece that is left is seen.
/// </summary>
public sealed class SecretsInLogsTests : CliTests
{
    private const string Piece = "Zq7x";

    private static readonly Config Quietly = Config.QuickThrowOnFailure.WithQuietOnSuccess(true).WithMaxTest(300);

    private static readonly Arbitrary<string> Passwords = Gen.Elements(" ;\"',=@/?&:\\%$#{}[]()|<>+é\t".ToCharArray())
        .NonEmptyListOf()
        .Where(marks => marks.Count <= 6)
        .Select(marks => Piece + string.Concat(marks.Select(mark => $"{mark}{Piece}")))
        .ToArbitrary();

    /// <summary>Oracle's builder and Npgsql's quote as their base class does.</summary>
    public static TheoryData<string> Drivers => ["Npgsql", "Npgsql, password first", "MongoDB", "Oracle", "Oracle, easy connect"];

    [Theory]
    [MemberData(nameof(Drivers))]
    public async Task Passwords_of_generated_connection_strings_reach_neither_file_nor_console(string driver)
    {
        using var console = new StringWriter();
        var folder = await RunLogTests.CreateFolderAsync(Cli);

        using (var log = RunLog.Create(folder, console, console))
        {
            var logger = log.Loggers.CreateLogger("part");
            Check.One(Quietly, Prop.ForAll(Passwords, password => Write(logger, ConnectionString(driver, password))));
        }

        var lines = await File.ReadAllLinesAsync(Path.Combine(folder.Path, RunLog.FileName), Token);
        Assert.True(lines.Length >= 300, $"{lines.Length} lines were written.");
        Assert.DoesNotContain(lines.Concat(console.ToString().Split('\n')), line => line.Contains(Piece));
        EachItem.Holds(lines, line => JsonDocument.Parse(line).Dispose());
        Assert.Contains(lines, line => line.Contains("db.example"));
    }

    [Fact]
    public void A_text_without_its_secrets_stays_as_it_is() => Check.One(Quietly, Prop.ForAll(Passwords, password =>
            {
                var scrubbed = Drivers
                    .Select(driver => SecretScrubber.Scrub($"opening {ConnectionString(driver, password)} failed"))
                    .ToArray();
                return scrubbed.All(text => SecretScrubber.Scrub(text) == text);
            }));

    private static void Write(ILogger logger, string connection)
    {
#pragma warning disable CA1848, CA2254 // Lines of a test; one of them is a sentence that was made with the secret in it.
        logger.LogInformation("connecting with {Connection}", connection);
        logger.LogWarning("{Target} can't be reached: {Parts}", $"'{connection}'", new[] { connection, "x" });
        logger.LogError(new InvalidOperationException($"The value is not understood: {connection}"), "no connection");
        logger.LogInformation("settings {Settings}", JsonSerializer.Serialize(new { connection, timeout = 3 }));
        logger.LogInformation("settings {@Settings}", new { Connection = connection, Timeout = 3 });
        logger.LogInformation("opening " + connection.Replace("{", "{{").Replace("}", "}}"));
#pragma warning restore CA1848, CA2254
    }

    private static string ConnectionString(string driver, string password) =>
        driver switch
        {
            "Npgsql" => new NpgsqlConnectionStringBuilder
            {
                Host = "db.example",
                Port = 5433,
                Username = "perf",
                Password = password,
                KeepAlive = 30,
            }.ConnectionString,
            "Npgsql, password first" => new NpgsqlConnectionStringBuilder
            {
                Password = password,
                Host = "db.example",
                Username = "perf",
            }.ConnectionString,
            "MongoDB" =>
                $"mongodb://perf:{Uri.EscapeDataString(password)}@db.example:27017,b.example:27017/?authSource=admin&replicaSet=rs0",
            "Oracle" => new DbConnectionStringBuilder
            {
                ["User Id"] = "perf",
                ["Password"] = password,
                ["Data Source"] = "//db.example:1521/FREEPDB1",
            }.ConnectionString,
            _ => $"perf/\"{password.Replace("\"", "")}\"@//db.example:1521/FREEPDB1",
        };
}
