namespace Serdica.Perf.Databases.Containers;

/// <summary>A container engine that answers and can be used, or the sentence why there is none.</summary>
internal abstract record EngineFinding
{
    private EngineFinding()
    {
    }

    /// <param name="Endpoint">Where it answers.</param>
    /// <param name="Name">Name and version, for instance <c>Docker 28.1.1</c>.</param>
    /// <param name="ApiVersion">The newest version of its interface that it speaks.</param>
    public sealed record Found(EngineEndpoint Endpoint, string Name, Version ApiVersion) : EngineFinding;

    public sealed record Missing(string Problem) : EngineFinding;
}
