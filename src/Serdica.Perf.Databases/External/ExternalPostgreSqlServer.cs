namespace Serdica.Perf.Databases.External;

/// <summary>A server that somebody else runs: disposing it touches nothing.</summary>
internal sealed class ExternalPostgreSqlServer(string connectionString, ServerDescription description, int? processId) : DatabaseServer
{
    public override string ConnectionString => connectionString;

    public override ServerDescription Description => description;

    public override int? ProcessId => processId;

    public override ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
