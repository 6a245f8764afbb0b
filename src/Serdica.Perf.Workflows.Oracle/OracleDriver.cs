using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Serdica.Perf.Workflows.Oracle;

/// <summary>Finds ODP.NET Core without a reference to it.</summary>
internal static class OracleDriver
{
    /// <summary>The one sentence for a build without the driver.</summary>
    public const string Missing =
        "The Oracle driver is not in this build: make the package Oracle.ManagedDataAccess.Core available on your feed "
        + "and build with WithOracleDriver=true ('dotnet run eng/setup.cs' sets it).";

    /// <summary>The one sentence for a machine without a server.</summary>
    public const string NoServer =
        "No Oracle server is named: set SERDICA_PERF_ORACLE to a connection string such as "
        + "'User Id=...;Password=...;Data Source=localhost:1521/FREEPDB1'.";

    /// <summary>The property that says how much of a LOB comes with its row, by type of command.</summary>
    private static readonly ConcurrentDictionary<Type, PropertyInfo?> LobFetchSizes = new();

    private const string FactoryType = "Oracle.ManagedDataAccess.Client.OracleClientFactory, Oracle.ManagedDataAccess";

    /// <summary>The driver's factory, if its assembly lies beside the program.</summary>
    public static bool TryFind([NotNullWhen(true)] out DbProviderFactory? factory)
    {
        factory =
            Type.GetType(FactoryType, throwOnError: false)?.GetField("Instance", BindingFlags.Public | BindingFlags.Static)?.GetValue(null)
            as DbProviderFactory;
        return factory is not null;
    }

    /// <summary>
    /// Has the driver close what lies in its pool, by the method that ODP.NET has for it. One connection that has died there
    /// is seldom alone, and each of the others would fail a call.
    /// </summary>
    internal static void ClearPool(DbConnection connection)
    {
        try
        {
            connection
                .GetType()
                .GetMethod("ClearPool", BindingFlags.Public | BindingFlags.Static, [connection.GetType()])
                ?.Invoke(null, [connection]);
        }
        catch (TargetInvocationException)
        {
            // There is no pool; the error of the call is the one to report.
        }
    }

    /// <summary>
    /// Has a query bring its LOBs with its rows. By default the driver fetches their locators, and each LOB costs a round trip of
    /// its own (ODP.NET Developer's Guide, "InitialLOBFetchSize": -1 is all of it). Ignored where no column is a LOB.
    /// </summary>
    internal static void FetchLobsWithRows(DbCommand command) =>
        LobFetchSizes.GetOrAdd(command.GetType(), static type => type.GetProperty("InitialLOBFetchSize"))?.SetValue(command, -1);

    /// <exception cref="WorkflowBackendException">There is none: <see cref="Missing"/>.</exception>
    internal static DbProviderFactory Find() =>
        TryFind(out var factory) ? factory : throw new WorkflowBackendException(Missing, isTransient: false);
}
