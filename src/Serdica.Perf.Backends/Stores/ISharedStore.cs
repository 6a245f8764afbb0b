namespace Serdica.Perf.Backends.Stores;

/// <summary>A store that other processes can open, see <see cref="ApplicationStore"/>.</summary>
internal interface ISharedStore : IScenarioStore
{
    /// <value>Schema, database or prefix.</value>
    string Name { get; }

    /// <value>The way to its server, with the password.</value>
    string ConnectionString { get; }
}
