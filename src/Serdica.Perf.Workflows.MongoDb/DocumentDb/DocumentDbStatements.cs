namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// The SQL that each command becomes: the extension's function of the same name, with the document as its bytes. The
/// database's name stands in the text, so that all statements of one database are prepared once.
/// </summary>
internal sealed class DocumentDbStatements(string database)
{
    /// <summary>Ends the wait for the log's flush for the rest of the present transaction.</summary>
    public const string Relax = "select set_config('synchronous_commit', 'off', true)";

    private readonly string _arguments = $"('{database}', documentdb_core.bson_from_bytea($1)";

    public string More =>
        $"select {Bytes("cursorpage")}, {Bytes("continuation")} from documentdb_api.cursor_get_more{_arguments}, "
        + "documentdb_core.bson_from_bytea($2))";

    /// <summary>One row: the reply, and for queries what continues them and the cursor's number.</summary>
    public string Reply(string command) =>
        command switch
        {
            "find" or "aggregate" => $"select {Bytes("cursorpage")}, {Bytes("continuation")}, cursorid "
                + $"from documentdb_api.{command}_cursor_first_page{_arguments})",
            "insert" or "update" or "delete" => $"select {Bytes("p_result")} from documentdb_api.{command}{_arguments}, null, null)",
            "create" => $"select {Bytes($"documentdb_api.create_collection_view{_arguments})")}",
            // At once: create_indexes_background leaves it to a worker that looks every two seconds.
            "createIndexes" => $"select {Bytes($"documentdb_api_internal.create_indexes_non_concurrently{_arguments}, true)")}",
            "dropDatabase" => $"select null::bytea from documentdb_api.drop_database('{database}') where length($1) > 0",
            _ => throw new ArgumentException($"'{command}' is no function of the extension."),
        };

    /// <summary>
    /// Undoes the transaction: divides by zero when the count is not $2, and reads the errors of documents as a number, so that the
    /// server quotes them.
    /// </summary>
    public string Guarded(string command) =>
        command switch
        {
            "count" => $"""
                select 1 / (documentdb_core.bson_get_value_text(document, 'n')::integer = $2)::integer
                from documentdb_api.count_query{_arguments})
                """,
            "insert" or "update" or "delete" => $"""
                select case when p_success then 1 / ($2 < 0 or documentdb_core.bson_get_value_text(p_result, 'n')::integer = $2)::integer
                    else documentdb_core.bson_get_value_text(p_result, 'writeErrors')::integer end
                from documentdb_api.{command}{_arguments}, null, null)
                """,
            _ => throw new ArgumentException($"'{command}' is no part of a write."),
        };

    private static string Bytes(string bson) => $"documentdb_core.bson_to_bytea({bson})";
}
