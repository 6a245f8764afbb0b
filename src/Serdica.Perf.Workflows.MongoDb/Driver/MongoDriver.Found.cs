namespace Serdica.Perf.Workflows.MongoDb;

public static partial class MongoDriver
{
    static partial void Find(ref Func<string, string, string, IDocumentDatabase>? open) =>
        open = static (connectionString, name, application) => new MongoDriverDatabase(connectionString, name, application);
}
