using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Serdica.Perf.Workflows.Oracle;

/// <summary>Finds ODP.NET Core without a reference to it.</summary>
public static class OracleDriver
{
    /// <summary>The one sentence for a build without the driver.</summary>
    public const string Missing =
        "The Oracle driver is not in this build: make the package Oracle.ManagedDataAccess.Core available on your feed "
        + "and build with WithOracleDriver=true ('dotnet run eng/setup.cs' sets it).";

    /// <summary>The one sentence for a machine without a server.</summary>
    public const string NoServer =
        "No Oracle server is named: set SERDICA_PERF_ORACLE to a connection string such as "
        + "'User Id=...;Password=...;Data Source=localhost:1521/FREEPDB1'.";

    private const string FactoryType = "Oracle.ManagedDataAccess.Client.OracleClientFactory, Oracle.ManagedDataAccess";

    /// <summary>The driver's factory, if its assembly lies beside the program.</summary>
    public static bool TryFind([NotNullWhen(true)] out DbProviderFactory? factory)
    {
        factory = Type.GetType(FactoryType, throwOnError: false)
            ?.GetField("Instance", BindingFlags.Public | BindingFlags.Static)
            ?.GetValue(null) as DbProviderFactory;
        return factory is not null;
    }

    /// <exception cref="WorkflowBackendException">There is none: <see cref="Missing"/>.</exception>
    internal static DbProviderFactory Find() =>
        TryFind(out var factory) ? factory : throw new WorkflowBackendException(Missing, isTransient: false);
}
