namespace Serdica.Perf.Databases.Containers;

internal static partial class CompiledEngine
{
    static partial void Find(ref Func<EngineFinding.Found, IContainerEngine>? adapter) => adapter = engine => new TestcontainersEngine(engine);
}
