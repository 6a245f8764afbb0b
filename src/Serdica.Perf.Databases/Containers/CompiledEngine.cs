namespace Serdica.Perf.Databases.Containers;

/// <summary>The one place that knows whether this build has an adapter to a container engine.</summary>
internal static partial class CompiledEngine
{
    public const string Missing =
        "This build cannot start containers: make the package Testcontainers available on your feed and build with "
        + "WithContainers=true ('dotnet run eng/setup.cs' sets it).";

    /// <summary>Makes the adapter to an engine; <see langword="null"/> when the build has none.</summary>
    public static Func<EngineFinding.Found, IContainerEngine>? Adapter
    {
        get
        {
            Func<EngineFinding.Found, IContainerEngine>? adapter = null;
            Find(ref adapter);
            return adapter;
        }
    }

    // Without a body where the adapter is left out of the build; the call then goes too.
    static partial void Find(ref Func<EngineFinding.Found, IContainerEngine>? adapter);
}
